/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Which process ran on a CPU at a time: task switches, read from the recording a little
 * ahead of the samples, and forgotten when these have passed them.
 */
#ifndef N3STAT_SPE_SWITCHES_H
#define N3STAT_SPE_SWITCHES_H

#include "spe_file.h"

struct spe_switches {
	struct spe_file file;		/* of its own: reads ahead */
	uint64_t sample_type;
	uint64_t newest;		/* of all that was read */
	struct spe_timeline *cpus;
	size_t nr_cpus;
	size_t queued;
	unsigned long dropped;		/* as there were too many at a time */
	bool at_end;
};

void spe_switches_open(struct spe_switches *switches, const struct spe_file *file,
		       uint64_t sample_type);
void spe_switches_close(struct spe_switches *switches);

/*
 * Times of a CPU must not fall.
 * Return: the process there, SPE_PID_UNKNOWN if none is known.
 */
uint32_t spe_switches_pid(struct spe_switches *switches, int cpu, uint64_t time);

#endif
