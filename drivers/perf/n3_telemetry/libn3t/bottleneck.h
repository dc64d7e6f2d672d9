/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Path down the decision tree to the bottleneck of a CPU. */
#ifndef _N3T_BOTTLENECK_H
#define _N3T_BOTTLENECK_H

#include "libn3t/n3t.h"

#define N3T_BOTTLENECK_DEPTH	8		/* the tree has 4 levels */
#define N3T_ERROR_UNKNOWN	S64_MAX		/* e.g. of a single slice */
#define N3T_PERCENT		10000		/* all metrics of the tree have 4 decimals */
#define N3T_MINOR_SHARE		(5 * N3T_PERCENT)	/* of all slots: no bottleneck below */

/**
 * struct n3t_estimate - a metric with its error
 * @verdict: N3T_VALUE, or the reason that it has none
 * @value: in units of the last decimal shown
 * @error: half the width of the 95 % interval in the same units, or
 *	N3T_ERROR_UNKNOWN
 */
struct n3t_estimate {
	enum n3t_verdict verdict;
	s64 value;
	s64 error;
};

/**
 * enum n3t_bottleneck_end - reason for the end of the path
 * @N3T_END_FOUND: the tree is not any deeper
 * @N3T_END_UNDETERMINED: no child leads the next by more than the sum of their errors
 * @N3T_END_NO_VALUE: a child has no value
 * @N3T_END_MINOR: the largest child is less than N3T_MINOR_SHARE of all slots, or does not
 *	exceed the share that no child covers by more than the errors
 */
enum n3t_bottleneck_end {
	N3T_END_FOUND,
	N3T_END_UNDETERMINED,
	N3T_END_NO_VALUE,
	N3T_END_MINOR,
};

/**
 * struct n3t_bottleneck - the path down the decision tree
 * @candidates: metrics that the next step chooses from
 * @nr_path: number of metrics on the path
 * @path: the metrics, starting with the one of Topdown_L1
 * @share: share of the last metric in all slots, in percent with 4 decimals
 * @end: reason for the end of the path
 * @rival: for N3T_END_UNDETERMINED the two metrics too close to order, the larger first;
 *	for N3T_END_MINOR the first is the largest child
 * @verdict: for N3T_END_NO_VALUE the text reported in place of the value
 * @next: metric groups to look at next
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
