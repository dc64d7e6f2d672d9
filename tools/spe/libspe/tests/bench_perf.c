// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* perf's side of bench: built with perf's headers, as Debian's source package has them. */
#include <linux/bitops.h>
#include <linux/types.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#include "arm-spe-decoder/arm-spe-decoder.h"
#include "bench.h"

struct all {
	const uint8_t *bytes;
	size_t nr;
};

/* Symbols that its units expect from the rest of perf. */
int verbose;
int eprintf(int level, int var, const char *format, ...);
void *zalloc(size_t size);

int eprintf(int level, int var, const char *format, ...)
{
	(void)level;
	(void)var;
	(void)format;
	return 0;
}

void *zalloc(size_t size)
{
	return calloc(1, size);
}

uint64_t bench_perf_packets(const uint8_t *bytes, size_t nr)
{
	struct arm_spe_pkt packet;
	uint64_t sum = 0;
	size_t at = 0;

	while (at < nr) {
		at += arm_spe_get_packet(bytes + at, nr - at, &packet);
		sum += packet.payload;
	}
	return sum;
}

static int give_all(struct arm_spe_buffer *buffer, void *data)
{
	struct all *all = data;

	buffer->buf = all->bytes;
	buffer->len = all->nr;
	all->nr = 0;
	return 0;
}

uint64_t bench_perf_records(const uint8_t *bytes, size_t nr)
{
	struct all all = { bytes, nr };
	struct arm_spe_params params = { .get_trace = give_all, .data = &all };
	struct arm_spe_decoder *decoder = arm_spe_decoder_new(&params);
	uint64_t sum = 0;

	while (decoder && arm_spe_decode(decoder) > 0)
		sum += decoder->record.from_ip << 8;
	arm_spe_decoder_free(decoder);
	return sum;
}
