/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* AUX buffers of a recording: their records in the order in which SPE wrote them. */
#ifndef N3SPE_STREAMS_H
#define N3SPE_STREAMS_H

#include "heap.h"
#include "libspe/spe.h"
#include "perf.h"

/* One AUX buffer: of a CPU, or of a thread that is recorded on all CPUs. */
struct spe_aux {
	int cpu;			/* -1: of a thread */
	uint32_t tid;			/* 0: of all threads of the CPU */
	uint64_t gaps, gap_bytes;	/* missing between the data */
	struct spe_stream stream;
	/* private: */
	struct spe_window *windows;	/* PERF_RECORD_AUX */
	size_t nr_windows, max_windows, window;
	struct spe_part *parts;		/* PERF_RECORD_AUXTRACE */
	size_t nr_parts, max_parts, part;
	uint64_t in_part, next;		/* bytes read of the part; offset of the next byte */
	struct spe_record *ready;	/* decoded ones */
	size_t nr_ready, max_ready, taken;
};

struct spe_streams {
	struct spe_aux **v;		/* by CPU, threads last */
	size_t nr;
};

/*
 * First pass: the place of data behind a PERF_RECORD_AUXTRACE. Return: number of bytes that the
 * file lacks.
 */
uint64_t spe_streams_data(struct spe_streams *streams, const struct spe_perf_record *record,
			  uint64_t end);
/* First pass: a PERF_RECORD_AUX, which the file may have before or behind its data. */
void spe_streams_window(struct spe_streams *streams, const struct spe_perf_record *record);
void spe_streams_ready(struct spe_streams *streams);
void spe_streams_free(struct spe_streams *streams);

/* Starts again. @size: of all records, 0 if it varies, see spe_stream_fixed(). */
void spe_aux_rewind(struct spe_aux *aux, size_t size);
/*
 * The next record. *time: of its window, used if it has none of its own; 0 if unknown. Return: NULL
 * at the end.
 */
const struct spe_record *spe_aux_next(struct spe_aux *aux, const struct spe_file *file,
				      uint64_t *time);

/* Return: whether data were lost after the last ones. */
bool spe_aux_ends_lossy(const struct spe_aux *aux);

#endif
