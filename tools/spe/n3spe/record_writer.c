// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Writer of SPE recordings, in the format of format.h. */
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "record_session.h"
#include "record_sink.h"

#define MAX_PARTS	5
/* Maximum AUX chunk, so that readers can hold one in memory. */
#define MAX_AUX		(16u << 20)

/* A header, a body, and zeros up to a multiple of 8, in one system call. */
static void put_chunk(struct spe_sink *sink, enum spe_chunk_type type, const struct iovec *parts,
		      int nr)
{
	static const char zeros[8];
	struct spe_chunk chunk = { .type = type };
	struct iovec all[MAX_PARTS + 2] = { { &chunk, sizeof(chunk) } };

	for (int i = 0; i < nr; i++) {
		all[i + 1] = parts[i];
		chunk.size += parts[i].iov_len;
	}
	all[nr + 1] = (struct iovec) { (void *)zeros, -chunk.size & 7 };
	spe_out_writev(&sink->out, all, nr + 2);
}

static void put_text(struct spe_sink *sink, enum spe_chunk_type type, const char *text,
		     size_t size)
{
	struct iovec part = { (void *)text, size };

	put_chunk(sink, type, &part, 1);
}

static void begin(struct spe_sink *sink, const struct spe_session *session)
{
	char *info = spe_session_info(session), *cpus = spe_session_cpus(session);

	spe_out_write(&sink->out, SPE_MAGIC, strlen(SPE_MAGIC));
	put_text(sink, SPE_CHUNK_INFO, info, strlen(info));
	put_text(sink, SPE_CHUNK_CPUS, cpus, strlen(cpus));
	free(info);
	free(cpus);
}

static void put_records(struct spe_sink *sink, const struct spe_ring *ring, const void *records,
			size_t size)
{
	struct spe_perf_header header = {
		/* Synthesised records have their own stream, without an AUX buffer. */
		.stream = ring ? ring->number : sink->nr_streams,
		.cpu = ring ? ring->cpu : -1,
	};
	struct iovec parts[] = {
		{ &header, sizeof(header) },
		{ (void *)records, size },
	};

	put_chunk(sink, SPE_CHUNK_PERF, parts, 2);
}

/* Up to max bytes of the parts. Return: number of parts. */
static size_t take(struct iovec *to, struct iovec *from, size_t max)
{
	*to = *from;
	if (to->iov_len > max)
		to->iov_len = max;
	from->iov_base = (char *)from->iov_base + to->iov_len;
	from->iov_len -= to->iov_len;
	return to->iov_len;
}

static void put_aux(struct spe_sink *sink, const struct spe_aux *aux)
{
	struct spe_aux_header header = {
		.stream = aux->ring->number,
		.cpu = aux->ring->cpu,
		.pid = aux->segment->pid,
		.tid = aux->segment->tid,
		.flags = aux->segment->flags,
		.offset = aux->segment->start,
		.time = aux->segment->time,
	};
	struct iovec left[2] = { aux->parts[0], aux->parts[1] };
	struct iovec parts[3] = { { &header, sizeof(header) } };
	size_t size;

	do {
		size = take(&parts[1], &left[0], MAX_AUX);
		size += take(&parts[2], &left[1], MAX_AUX - size);
		put_chunk(sink, SPE_CHUNK_AUX, parts, 3);
		header.offset += size;
	} while (left[0].iov_len || left[1].iov_len);
}

static void put_lost(struct spe_sink *sink, const struct spe_lost *lost)
{
	struct iovec part = { (void *)lost, sizeof(*lost) };

	put_chunk(sink, SPE_CHUNK_LOST, &part, 1);
}

static void end(struct spe_sink *sink, const struct spe_session *session)
{
	char *totals = spe_session_totals(session);

	put_text(sink, SPE_CHUNK_END, totals, strlen(totals));
	free(totals);
	spe_out_close(&sink->out);
}

struct spe_sink *spe_sink_recording(void)
{
	static const struct spe_sink sink = {
		.begin = begin,
		.records = put_records,
		.aux = put_aux,
		.lost = put_lost,
		.text = put_text,
		.end = end,
	};

	struct spe_sink *copy = xcalloc(1, sizeof(*copy));

	*copy = sink;
	return copy;
}
