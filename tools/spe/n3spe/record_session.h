/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* One recording session: its rings, targets, totals and file, a perf.data. */
#ifndef N3SPE_RECORD_SESSION_H
#define N3SPE_RECORD_SESSION_H

#include <stdio.h>

#include "losses.h"
#include "perf.h"
#include "record_options.h"
#include "record_ring.h"
#include "header.h"

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
	struct spe_file_header header;
	struct spe_out_event *events;
	size_t nr_events;
	struct spe_section *index;	/* the AUXTRACE records, without their data */
	size_t nr_index, max_index;
};

struct spe_totals {
	uint64_t aux_bytes;
	uint64_t aux_records, collisions;
	uint64_t lost[SPE_NR_LOST];	/* windows, by enum spe_lost_reason */
};

struct spe_session {
	const struct spe_record_options *options;
	struct spe_pmus pmus;
	struct spe_ring *rings;
	size_t nr_rings;
	pid_t *tasks;			/* empty: all tasks of each CPU */
	size_t nr_tasks;
	bool on_exec;
	uint64_t period;		/* in effect */
	struct spe_clock clock;
	struct spe_out out;
	void *build_ids;		/* of files already read */
	struct spe_totals totals;
	double hotplug_looked;		/* time of monotonic_now() */
};

/* Finds the PMUs and CPUs; exits if there is nothing to sample. */
void spe_session_prepare(struct spe_session *session, const struct spe_record_options *options);
/* Threads of the processes of -p, or of the command. */
void spe_session_add_threads(struct spe_session *session, pid_t pid);
void spe_session_open(struct spe_session *session);
void spe_session_free(struct spe_session *session);

void spe_session_enable(struct spe_session *session);
/* Stops SPE and drains the rings. */
void spe_session_finish(struct spe_session *session);
/* Waits up to timeout_ms and drains the rings. Return: false if all targets have ended. */
bool spe_session_round(struct spe_session *session, int timeout_ms);

/* Keeps an earlier file as FILE.old. Errors of all functions exit. */
void spe_out_open(struct spe_out *out, const char *name);
void spe_out_write(struct spe_out *out, const void *bytes, size_t size);
void spe_out_free(struct spe_out *out);

/* Records whose order in the file is that of the calls. */
void spe_put_begin(struct spe_session *session);
/* The extents of the kernel and its modules; FILE.kallsyms with their functions, if visible. */
void spe_put_kernel(struct spe_session *session);
/*
 * Processes and their mappings before the recording, as perf records with time 0: all, or those
 * of the session's tasks.
 */
void spe_put_processes(struct spe_session *session);
/* A record that ends a part, unless it is empty: the file is readable up to there. */
void spe_put_mark(struct spe_out *out, enum spe_perf_type type);
/* Sets the id at the end of a record of perf. */
void spe_put_id(const struct spe_ring *ring, struct perf_event_header *record);
/* Contents of the AUX buffer from the read position on. */
void spe_put_aux(struct spe_out *out, const struct spe_ring *ring, size_t size);
void spe_put_lost(struct spe_out *out, const struct spe_ring *ring, enum spe_lost_reason reason,
		  uint64_t time);
/* The sections behind the data; closes the file. */
void spe_put_end(struct spe_session *session);

#endif
