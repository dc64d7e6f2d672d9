/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Process on a CPU at a given time: task switches are read slightly ahead of the samples, and
 * dropped once these have passed them.
 */
#ifndef N3SPE_SWITCHES_H
#define N3SPE_SWITCHES_H

#include "file.h"

struct spe_switches {
	struct spe_file file;		/* separate, since it reads ahead */
	uint64_t sample_type;
	uint64_t newest;		/* latest time read */
	struct spe_timeline *cpus;
	size_t nr_cpus;
	size_t queued;
	unsigned long dropped;		/* exceeded QUEUED_MAX */
	bool at_end;
};

void spe_switches_open(struct spe_switches *switches, const struct spe_file *file,
		       uint64_t sample_type);
void spe_switches_close(struct spe_switches *switches);

/* Times must not decrease per CPU. Return: the process there, or SPE_PID_UNKNOWN. */
uint32_t spe_switches_pid(struct spe_switches *switches, int cpu, uint64_t time);

#endif
