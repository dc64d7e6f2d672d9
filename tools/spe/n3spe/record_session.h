/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* One recording session: rings, targets and totals; draining of rings, state before it. */
#ifndef N3SPE_RECORD_SESSION_H
#define N3SPE_RECORD_SESSION_H

#include "record_build_ids.h"
#include "record_options.h"
#include "record_out.h"
#include "record_ring.h"

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
	struct spe_build_ids build_ids;
	struct spe_totals totals;
	double hotplug_looked;		/* time of monotonic_now() */
	bool is_running;
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

/* Drains a ring. Return: whether SPE had written anything. */
bool spe_drain(struct spe_session *session, struct spe_ring *ring);
/* Records a window until now in which samples may be missing, and that no record of perf shows. */
void spe_lose(struct spe_session *session, struct spe_ring *ring, enum spe_lost_reason reason);
/* Drains SPE, then disables and enables it. */
void spe_restart(struct spe_session *session, struct spe_ring *ring);
/* Disables SPE and drains the ring. */
void spe_stop(struct spe_session *session, struct spe_ring *ring);

/*
 * Processes and their mappings before the recording, as perf records with time 0: all, or those
 * of the session's tasks.
 */
void spe_put_processes(struct spe_session *session);
/* The extents of the kernel and its modules; FILE.kallsyms with their functions, if visible. */
void spe_put_kernel(struct spe_session *session);
/* An event as perf's -e takes it; the caller frees it. */
char *spe_event_name(const struct spe_session *session, const struct spe_pmu *pmu);

#endif
