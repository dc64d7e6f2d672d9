// SPDX-License-Identifier: GPL-2.0
/*
 * Records of the Statistical Profiling Extension in FILE, written by perf record:
 *
 *	spe_aux raw FILE CPU	its records, one after another, without the driver's padding
 *	spe_aux list FILE [CPU]	exception level, program counter, timestamp, events,
 *				total latency, class (0 other, 1 memory, 2 branch), branch
 *				target and previous target of each; "bad" if malformed
 *	spe_aux flags FILE	"KEY NUMBER" lines: AUX records, and those with flags
 *	spe_aux strip FILE	a file that is a copy of the AUX buffer: as raw
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>

#include "spe_input.h"
#include "spe_record.h"

/* The start of perf.data, which no header describes */
struct file_header {
	unsigned long magic, size, attr_size;
	unsigned long attrs[2], data[2];
};

/* PERF_RECORD_AUXTRACE, whose data follows it */
#define RECORD_AUXTRACE 71

struct auxtrace {
	struct perf_event_header header;
	unsigned long size, offset, reference;
	unsigned int idx, tid, cpu, reserved;
};

struct aux {
	struct perf_event_header header;
	unsigned long offset, size, flags;
};

static bool is_padding(const unsigned char *at, size_t size)
{
	static const unsigned char zeros[SPE_RECORD];

	return !memcmp(at, zeros, size);
}

static void print_record(const unsigned char *at, bool raw)
{
	struct spe_record r = spe_read_record(at);

	if (raw)
		fwrite(at, SPE_RECORD, 1, stdout);
	else if (r.good)
		printf("%d %lx %lu %lx %u %d %lx %lx\n", r.el, r.pc, r.timestamp, r.events,
		       r.total, r.class, r.target, r.previous_target);
	else
		printf("bad\n");
}

/*
 * Records are aligned in the AUX buffer, but a part read by perf need not start
 * at one: the driver pads a full buffer by one byte less than there are, and
 * perf pads the part to 8 bytes. Padding is 0, with which no record starts.
 */
static void print_records(const unsigned char *at, unsigned long length, unsigned long offset,
			  bool raw)
{
	const unsigned char *end = at + length;
	size_t size = -offset % SPE_RECORD;

	for (; at < end; at += size, size = SPE_RECORD) {
		if ((size_t)(end - at) < size)
			size = end - at;
		if (is_padding(at, size))
			continue;
		if (size < SPE_RECORD)
			fail("a part of a record");
		print_record(at, raw);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	int cpu = argc > 3 ? atoi(argv[3]) : -1;
	unsigned long n = 0, truncated = 0, partial = 0, collision = 0;
	const struct file_header *header;
	const char *at, *end;
	size_t size;

	if (argc < 3)
		fail("usage: spe_aux raw|list|flags|strip FILE [CPU]");
	header = (const void *)read_file(argv[2], &size);
	if (!strcmp(what, "strip")) {
		print_records((const void *)header, size, 0, true);
		return 0;
	}
	if (size < sizeof(*header) || header->data[0] + header->data[1] > size)
		fail("not a finished perf.data");
	at = (const char *)header + header->data[0];
	end = at + header->data[1];
	while (at + sizeof(struct perf_event_header) <= end) {
		const struct perf_event_header *event = (const void *)at;
		const struct auxtrace *trace = (const void *)at;
		const struct aux *aux = (const void *)at;

		at += event->size;
		if (event->type == RECORD_AUXTRACE) {
			if (*what != 'f' && (cpu < 0 || trace->cpu == (unsigned int)cpu))
				print_records((const void *)at, trace->size, trace->offset,
					      *what == 'r');
			at += trace->size;
		} else if (event->type == PERF_RECORD_AUX) {
			n++;
			truncated += !!(aux->flags & PERF_AUX_FLAG_TRUNCATED);
			partial += !!(aux->flags & PERF_AUX_FLAG_PARTIAL);
			collision += !!(aux->flags & PERF_AUX_FLAG_COLLISION);
		} else if (!event->size) {
			fail("an event of no size");
		}
	}
	if (*what == 'f')
		printf("aux %lu\ntruncated %lu\npartial %lu\ncollision %lu\n", n, truncated,
		       partial, collision);
	return 0;
}
