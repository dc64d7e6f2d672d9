/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What sampling at a period writes: estimated. */
#ifndef N3STAT_SPE_COST_H
#define N3STAT_SPE_COST_H

#include "machine.h"

struct spe_cost {
	unsigned long period;		/* in operations */
	double clock;			/* cycles a second */
	double operations;		/* a cycle */
	bool clock_is_known;		/* by cpufreq; else assumed */
	bool operations_are_measured;	/* by the module; else assumed */
	double records;			/* a second, of one busy CPU */
	double bytes;			/* a second, likewise */
};

/* min_interval and record: as the CPU has them, 0 if unknown. */
void spe_cost_estimate(const struct machine *machine, unsigned long min_interval,
		       unsigned long record, struct spe_cost *cost);

#endif
