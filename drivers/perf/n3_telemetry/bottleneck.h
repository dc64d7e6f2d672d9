/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The path down the decision tree to what limits a CPU. */
#ifndef _N3T_BOTTLENECK_H
#define _N3T_BOTTLENECK_H

#include "n3t.h"

#define N3T_BOTTLENECK_DEPTH	8		/* the tree has 4 levels */
#define N3T_ERROR_UNKNOWN	S64_MAX		/* of a single slice, for example */

/**
 * struct n3t_estimate - a metric and how far it may be off
 * @verdict: N3T_VALUE, or why there is none
 * @value: in units of the last decimal that is shown
 * @error: half the width of the 95 % interval in the same units, or
 *	N3T_ERROR_UNKNOWN
 */
struct n3t_estimate {
	enum n3t_verdict verdict;
	s64 value;
	s64 error;
};

/**
 * enum n3t_bottleneck_end - why the path ends
 * @N3T_END_FOUND: the tree goes no deeper
 * @N3T_END_UNDETERMINED: no child leads the next by more than the sum of their errors
 * @N3T_END_NO_VALUE: a child has no value
 */
enum n3t_bottleneck_end {
	N3T_END_FOUND,
	N3T_END_UNDETERMINED,
	N3T_END_NO_VALUE,
};

/**
 * struct n3t_bottleneck - the path down the decision tree
 * @candidates: the metrics that the next step chooses from
 * @nr_path: number of metrics on it
 * @path: the metrics, the one of Topdown_L1 first
 * @end: why it ends
 * @rival: the two that cannot be told apart, the larger first; for
 *	N3T_END_UNDETERMINED
 * @verdict: what is reported instead of the value; for N3T_END_NO_VALUE
 * @next: the metric groups to look at next
 */
struct n3t_bottleneck {
	DECLARE_BITMAP(candidates, N3T_NR_METRICS);
	unsigned int nr_path;
	u8 path[N3T_BOTTLENECK_DEPTH];
	enum n3t_bottleneck_end end;
	u8 rival[2];
	enum n3t_verdict verdict;
	DECLARE_BITMAP(next, N3T_NR_GROUPS);
};

void n3t_bottleneck_begin(struct n3t_bottleneck *bottleneck);
bool n3t_bottleneck_step(struct n3t_bottleneck *bottleneck, const struct n3t_estimate *estimates);
size_t n3t_bottleneck_print(char *buf, size_t size, const struct n3t_bottleneck *bottleneck,
			    const struct n3t_estimate *estimates);

#endif /* _N3T_BOTTLENECK_H */
