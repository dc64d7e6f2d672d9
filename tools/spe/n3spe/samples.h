/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Samples of a recording, of all CPUs in the order of time, with the tasks and their mappings as
 * they were then.
 */
#ifndef N3SPE_SAMPLES_H
#define N3SPE_SAMPLES_H

#include "recording.h"

struct spe_sample {
	const struct spe_record *record;
	int cpu;			/* -1 if unknown */
	uint32_t pid;			/* or SPE_PID_UNKNOWN */
	uint32_t life;			/* life of @pid, or SPE_NO_LIFE */
	uint64_t time;			/* of perf, in ns; 0 if unknown */
	bool is_timed;			/* its own time, else that of the end of its window */
};

typedef void (*spe_sample_fn)(const struct spe_sample *sample, void *context);

/* Passes on every good record, and fills in the limits. May be called again. */
void spe_recording_samples(struct spe_recording *recording, spe_sample_fn fn, void *context);

#endif
