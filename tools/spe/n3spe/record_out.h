/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Output of "n3stat spe record": a perf.data that is readable after each round. */
#ifndef N3SPE_RECORD_OUT_H
#define N3SPE_RECORD_OUT_H

#include <stdint.h>
#include <stdio.h>
#include <sys/uio.h>

#include "losses.h"
#include "record_pmu.h"
#include "record_ring.h"
#include "header.h"

struct spe_session;

/* Header of perf.data: see tools/perf/Documentation/perf.data-file-format.txt. */
struct spe_out_header {
	char magic[8];
	uint64_t size, attr_size;
	struct spe_section attrs, data, event_types;
	uint64_t features[4];
};

/* An event as perf shows it: that of a PMU, or the last one, of the side-band. */
struct spe_out_event {
	union spe_attr attr;
	char *name;		/* in perf's notation */
	const struct spe_pmu *pmu;	/* NULL: side-band */
	uint64_t *ids;		/* one for each ring */
	size_t nr_ids;
};

struct spe_out {
	FILE *file;
	const char *name;
	uint64_t bytes;
	struct spe_out_header header;
	struct spe_out_event *events;
	size_t nr_events;
	struct spe_section *index;	/* the AUXTRACE records, without their data */
	size_t nr_index, max_index;
};

/* Keeps an earlier file as FILE.old. Errors of all functions exit. */
void spe_out_open(struct spe_out *out, const char *name);
void spe_out_write(struct spe_out *out, const void *bytes, size_t size);
/* Modifies the parts. */
void spe_out_writev(struct spe_out *out, struct iovec *parts, int nr);
/* At an existing position. */
void spe_out_overwrite(struct spe_out *out, const void *bytes, size_t size, uint64_t offset);
void spe_out_close(struct spe_out *out);
void spe_out_free(struct spe_out *out);

/* Records whose order in the file is that of the calls. */
void spe_put_begin(struct spe_session *session);
/* After the state before the recording. */
void spe_put_init_end(struct spe_out *out);
/* Sets the id at the end of a record of perf, and a position to that in the stream. */
void spe_put_id(const struct spe_ring *ring, struct perf_event_header *record);
/* Contents of the AUX buffer from the read position on. */
void spe_put_aux(struct spe_out *out, const struct spe_ring *ring, size_t size);
void spe_put_lost(struct spe_out *out, const struct spe_ring *ring, enum spe_lost_reason reason,
		  uint64_t time);
void spe_put_round(struct spe_session *session);
/* The sections behind the data; closes the file. */
void spe_put_end(struct spe_session *session);

/* The text of a reason, and of sysfs' MIDR of a CPU, 0 if unknown. */
const char *spe_lost_text(enum spe_lost_reason reason);
uint64_t spe_out_midr(unsigned int cpu);

#endif
