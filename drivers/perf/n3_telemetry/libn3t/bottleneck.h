/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The path down the decision tree to what limits a CPU. */
#ifndef _N3T_BOTTLENECK_H
#define _N3T_BOTTLENECK_H

#include "libn3t/n3t.h"

#define N3T_BOTTLENECK_DEPTH	8		/* the tree has 4 levels */
#define N3T_ERROR_UNKNOWN	S64_MAX		/* of a single slice, for example */
#define N3T_PERCENT		10000		/* all metrics of the tree have 4 decimals */
#define N3T_MINOR_SHARE		(5 * N3T_PERCENT)	/* of all slots: less is no bottleneck */

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
 * @N3T_END_MINOR: the largest child does not lead what no child names by more than the
 *	errors, or is less than N3T_MINOR_SHARE of all slots
 */
enum n3t_bottleneck_end {
	N3T_END_FOUND,
	N3T_END_UNDETERMINED,
	N3T_END_NO_VALUE,
	N3T_END_MINOR,
};

/**
 * struct n3t_bottleneck - the path down the decision tree
 * @candidates: the metrics that the next step chooses from
 * @nr_path: number of metrics on it
 * @path: the metrics, the one of Topdown_L1 first
 * @share: what the last of them stands for, in percent of all slots with 4 decimals
 * @end: why it ends
 * @rival: the two that cannot be told apart, the larger first; for
 *	N3T_END_UNDETERMINED. For N3T_END_MINOR the first is the largest child
 * @verdict: what is reported instead of the value; for N3T_END_NO_VALUE
 * @next: the metric groups to look at next
 */
struct n3t_bottleneck {
	DECLARE_BITMAP(candidates, N3T_NR_METRICS);
	unsigned int nr_path;
	u8 path[N3T_BOTTLENECK_DEPTH];
	s64 share;
	enum n3t_bottleneck_end end;
	u8 rival[2];
	enum n3t_verdict verdict;
	DECLARE_BITMAP(next, N3T_NR_GROUPS);
};

s64 n3t_bottleneck_share(s64 share, s64 value);
void n3t_bottleneck_begin(struct n3t_bottleneck *bottleneck);
bool n3t_bottleneck_step(struct n3t_bottleneck *bottleneck, const struct n3t_estimate *estimates);
size_t n3t_bottleneck_print(char *buf, size_t size, const struct n3t_bottleneck *bottleneck,
			    const struct n3t_estimate *estimates);

#endif /* _N3T_BOTTLENECK_H */
