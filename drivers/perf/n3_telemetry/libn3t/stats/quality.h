/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* How far a value can be trusted: 95 % interval, coverage, number of slices. */
#ifndef _N3T_QUALITY_H
#define _N3T_QUALITY_H

#include "libn3t/fixed.h"
#include "libn3t/n3t.h"
#include "libn3t/stats/view.h"

struct n3t_estimate;

#define N3T_INTERVAL_SLICES	4	/* fewer in the memory: no interval is shown */

/**
 * struct n3t_bounds - a number and its 95 % interval
 * @value: the number
 * @guarded: @value with more decimals than are shown, cut off, if it is not too large
 * @bounded: what follows is known and says something, from two slices in the memory on
 * @low: lower end of the interval in units of the last decimal shown, rounded down
 * @high: upper end, rounded up
 * @error: half of the interval, rounded up
 */
struct n3t_bounds {
	struct n3t_ratio value;
	s64 guarded;
	bool bounded;
	s64 low;
	s64 high;
	s64 error;
};

/**
 * struct n3t_quality - a value and how far it can be trusted
 * @verdict: N3T_VALUE, or why there is none
 * @measured: the value, as n3t_view_value() or n3t_combine_views() gives it
 * @estimate: what it was over the whole window, as far as anchors tell; if they do not, the
 *	      same
 * @slices: slices that it is computed from
 * @coverage: share of the window in which they were counted, in 1/100 %
 * @remembered: slices that the error is learnt from
 */
struct n3t_quality {
	enum n3t_verdict verdict;
	struct n3t_bounds measured;
	struct n3t_bounds estimate;
	u64 slices;
	unsigned int coverage;
	u64 remembered;
};

int n3t_quality_of_cpu(struct n3t_quality *quality, enum n3t_metric metric,
		       const struct n3t_view *view);
int n3t_quality_of_several(struct n3t_quality *quality, enum n3t_metric metric,
			   struct n3t_view *views, unsigned int nr);
void n3t_quality_estimate(struct n3t_estimate *estimate, enum n3t_metric metric,
			  const struct n3t_quality *quality);
size_t n3t_quality_print(char *buf, size_t size, enum n3t_metric metric,
			 const struct n3t_quality *quality);

#endif /* _N3T_QUALITY_H */
