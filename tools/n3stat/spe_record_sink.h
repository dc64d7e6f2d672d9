/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Where a capture goes: a recording of n3stat's own, or a perf.data. */
#ifndef N3STAT_SPE_RECORD_SINK_H
#define N3STAT_SPE_RECORD_SINK_H

#include <stdint.h>
#include <sys/uio.h>

#include "spe_format.h"
#include "spe_record_session.h"

/* A file that grows; what is written is in it at once, whatever becomes of the writer. */
struct spe_out {
	int fd;
	const char *name;
	uint64_t bytes;
};

/* What a stream's AUX buffer held: in one part, or in two where it wraps. */
struct spe_aux {
	const struct spe_ring *ring;
	const struct spe_segment *segment;	/* start: in the stream */
	struct iovec parts[2];
	int nr_parts;
};

/* ring NULL: synthesised by the recorder. Nothing returns after an error. */
struct spe_sink {
	void (*begin)(struct spe_sink *sink, const struct spe_session *session);
	void (*records)(struct spe_sink *sink, const struct spe_ring *ring, const void *records,
			size_t size);
	void (*aux)(struct spe_sink *sink, const struct spe_aux *aux);
	void (*lost)(struct spe_sink *sink, const struct spe_lost *lost);
	void (*text)(struct spe_sink *sink, enum spe_chunk_type type, const char *text,
		     size_t size);
	/* After each round over all rings. */
	void (*round)(struct spe_sink *sink);
	void (*end)(struct spe_sink *sink, const struct spe_session *session);
	struct spe_out out;
	uint32_t nr_streams;
};

struct spe_sink *spe_sink_recording(void);
struct spe_sink *spe_sink_perf_data(void);

void spe_out_open(struct spe_out *out, const char *name);
void spe_out_write(struct spe_out *out, const void *bytes, size_t size);
/* Changes the parts. */
void spe_out_writev(struct spe_out *out, struct iovec *parts, int nr);
/* At a place that is there already. */
void spe_out_overwrite(struct spe_out *out, const void *bytes, size_t size, uint64_t offset);
void spe_out_close(struct spe_out *out);

#endif
