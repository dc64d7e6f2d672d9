/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Quality of a value: 95 % interval, coverage, number of slices. */
#ifndef LIBN3TELEMETRY_STATS_QUALITY_H
#define LIBN3TELEMETRY_STATS_QUALITY_H

#include "libn3t/fixed.h"
#include "libn3t/n3t.h"
#include "libn3telemetry/stats/view.h"

#define N3T_INTERVAL_SLICES	4	/* no interval if fewer are remembered */
#define N3T_USEFUL_POINTS	50	/* half-width of a useful interval in percentage points, */
#define N3T_USEFUL_TIMES	3	/* for others as a multiple of the value */

/**
 * struct n3t_bounds - a number and its 95 % interval
 * @value: the number
 * @guarded: @value with guard digits beyond the decimals shown, truncated, if it fits
 * @bounded: the fields below are valid: at least two slices are remembered
 * @low: lower end of the interval in units of the last decimal shown, rounded down
 * @high: upper end, rounded up
 * @error: half the width of the interval, rounded up
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
 * struct n3t_quality - a value and its quality
 * @verdict: N3T_VALUE, or the reason that there is none
 * @measured: the value, as from n3t_metric_value() or n3t_combine_end()
 * @estimate: value over the whole window, estimated from the anchors; @measured without
 *	      anchors
 * @slices: number of slices that the value is computed from
 * @coverage: part of the window in which they were counted, in 1/100 %
 * @remembered: number of slices that the error is estimated from
 */
struct n3t_quality {
	enum n3t_verdict verdict;
	struct n3t_bounds measured;
	struct n3t_bounds estimate;
	u64 slices;
	unsigned int coverage;
	u64 remembered;
};

void n3t_quality_of_cpu(struct n3t_quality *quality, enum n3t_metric metric,
			const struct cpu_view *view);
void n3t_quality_of_several(struct n3t_quality *quality, enum n3t_metric metric,
			    struct cpu_view *views, unsigned int nr);
size_t n3t_quality_print(char *buf, size_t size, enum n3t_metric metric,
			 const struct n3t_quality *quality);

#endif /* LIBN3TELEMETRY_STATS_QUALITY_H */
