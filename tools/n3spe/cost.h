/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Estimated data rate of sampling at a period. */
#ifndef N3SPE_COST_H
#define N3SPE_COST_H

#include "cli/machine.h"

struct spe_cost {
	unsigned long period;		/* in operations */
	double clock;			/* cycles per second */
	double operations;		/* per cycle */
	bool clock_is_known;		/* from cpufreq; else assumed */
	bool operations_are_measured;	/* from the module; else assumed */
	double records;			/* per second, of one busy CPU */
	double bytes;			/* per second, likewise */
};

/* min_interval and record: values of the CPU, 0 if unknown. */
void spe_cost_estimate(const struct machine *machine, unsigned long min_interval,
		       unsigned long record, struct spe_cost *cost);

#endif
