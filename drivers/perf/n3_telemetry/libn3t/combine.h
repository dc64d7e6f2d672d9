/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* One value over several CPUs. */
#ifndef _N3T_COMBINE_H
#define _N3T_COMBINE_H

#include "libn3t/fixed.h"
#include "libn3t/n3t.h"

/**
 * struct n3t_combined - a metric being summed over several CPUs
 * @metric: the metric
 * @cpus: number of CPUs included
 * @defined: one of them does not have N3T_UNDEF
 * @verdict: verdict of the CPU that is closest to a value
 * @rates: sums of the CPUs' counts per counted time, N3T_RATE_UNIT per second
 */
struct n3t_combined {
	enum n3t_metric metric;
	unsigned int cpus;
	bool defined;
	enum n3t_verdict verdict;
	struct n3t_counts rates;
};

#define N3T_RATE_UNIT	65536	/* rates are multiples of 1/65536 per second */

void n3t_combine_begin(struct n3t_combined *combined, enum n3t_metric metric);
bool n3t_combine_includes(struct n3t_combined *combined, enum n3t_verdict verdict, u64 time_ns);
bool n3t_combine_add(struct n3t_combined *combined, enum n3t_verdict verdict,
		     const struct n3t_counts *counts, u64 time_ns);
enum n3t_verdict n3t_combine_end(const struct n3t_combined *combined, struct n3t_ratio *value);
u64 n3t_rate(u64 count, u64 time_ns);

#endif /* _N3T_COMBINE_H */
