/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Periods of SPE in operations, and the estimated data rate of sampling at one. */
#ifndef N3SPE_COST_H
#define N3SPE_COST_H

#include "lib/machine.h"

/* Frequent enough for a profile, at tens rather than hundreds of MB/s. */
#define SPE_PERIOD_DEFAULT	8192
/* Granularity of the driver: PMSIRR_EL1 has no lower bits. */
#define SPE_PERIOD_UNIT		256
#define SPE_PERIOD_MAX		0xffffff00u

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
