/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Output of a session: n3stat's own format, or perf.data. */
#ifndef N3SPE_RECORD_SINK_H
#define N3SPE_RECORD_SINK_H

#include <stdint.h>
#include <sys/uio.h>

#include "format.h"
#include "record_ring.h"

struct spe_session;

/* An output file; written data survives a crash of the writer. */
struct spe_out {
	int fd;
	const char *name;
	uint64_t bytes;
};

/* Contents of a stream's AUX buffer: one part, or two where it wraps. */
struct spe_aux {
	const struct spe_ring *ring;
	const struct spe_segment *segment;	/* start: offset in the stream */
	struct iovec parts[2];
};

/* ring NULL: synthesised by the recorder. Errors exit. perf.data has no lost windows and texts. */
struct spe_sink {
	void (*begin)(struct spe_sink *sink, const struct spe_session *session);
	void (*records)(struct spe_sink *sink, const struct spe_ring *ring, const void *records,
			size_t size);
	void (*aux)(struct spe_sink *sink, const struct spe_aux *aux);
	void (*lost)(struct spe_sink *sink, const struct spe_lost *lost);
	void (*text)(struct spe_sink *sink, enum spe_chunk_type type, const char *text,
		     size_t size);
	/* After each round over all rings; or NULL. */
	void (*round)(struct spe_sink *sink);
	void (*end)(struct spe_sink *sink, const struct spe_session *session);
	struct spe_out out;
	uint32_t nr_streams;
};

/* The caller frees the sink. */
struct spe_sink *spe_sink_recording(void);
/* Likewise. Exits if the session has more than one PMU. */
struct spe_sink *spe_sink_perf_data(const struct spe_session *session);

void spe_out_open(struct spe_out *out, const char *name);
void spe_out_write(struct spe_out *out, const void *bytes, size_t size);
/* Modifies the parts. */
void spe_out_writev(struct spe_out *out, struct iovec *parts, int nr);
/* At an existing position. */
void spe_out_overwrite(struct spe_out *out, const void *bytes, size_t size, uint64_t offset);
void spe_out_close(struct spe_out *out);

#endif
