/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Records of the kernel about tasks in the order of time. The file has those of one CPU after those
 * of another: a run is a part of it in which their times do not decrease. Runs are read side by
 * side, so that only their places are in memory.
 */
#ifndef N3SPE_RUNS_H
#define N3SPE_RUNS_H

#include "heap.h"
#include "perf.h"

struct spe_runs {
	struct spe_run *v;
	size_t nr, max;
	/* private: */
	const struct spe_file *file;
	uint64_t last;			/* time of the last record in the first pass */
	size_t next;			/* first one that was not yet opened */
	struct spe_heap open;
	bool to_advance;		/* the first open one, before it is read again */
};

/* First pass, in the order of the file. */
void spe_runs_learn(struct spe_runs *runs, const struct spe_perf_record *record);
void spe_runs_ready(struct spe_runs *runs, const struct spe_file *file);
void spe_runs_free(struct spe_runs *runs);

/* Second pass, and others. */
void spe_runs_rewind(struct spe_runs *runs);
/*
 * Return: whether there is a record of at most @time, the next one; valid until the next call.
 */
bool spe_runs_next(struct spe_runs *runs, uint64_t time, struct spe_perf_record *record);

#endif
