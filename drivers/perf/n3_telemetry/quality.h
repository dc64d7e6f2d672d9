/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* How far a value can be trusted: 95 % interval, coverage, number of slices. */
#ifndef _N3T_QUALITY_H
#define _N3T_QUALITY_H

#include "fixed.h"
#include "n3t.h"
#include "verdict.h"

struct n3t_estimate;
struct n3t_plan;
struct n3t_ring;
struct n3t_window;

#define N3T_INTERVAL_SLICES	4	/* fewer: no interval is shown */

/**
 * struct n3t_view - one CPU, as far as the quality of its values goes
 * @state: what the sampler says of the CPU
 * @plan: the plan in force there
 * @window: sums of its slices, judged; NULL if it is not sampled
 * @ring: the slices; looked at only if there is a @window
 * @since_ns: begin of the window, as n3t_window_sum() was given it
 * @until_ns: end of the window: when it was summed up
 */
struct n3t_view {
	enum n3t_cpu_state state;
	const struct n3t_plan *plan;
	const struct n3t_window *window;
	const struct n3t_ring *ring;
	u64 since_ns;
	u64 until_ns;
};

/**
 * struct n3t_quality - a value and how far it can be trusted
 * @verdict: N3T_VALUE, or why there is none
 * @value: the value, as n3t_metric_value() or n3t_combine_end() gives it
 * @slices: slices that it is of
 * @coverage: share of the window in which they were counted, in 1/100 %
 * @bounded: @low, @high and @error are known, from two slices on
 * @low: lower end of the 95 % interval in units of the last decimal shown,
 *	rounded down
 * @high: upper end, rounded up
 * @error: half of the interval, rounded up
 */
struct n3t_quality {
	enum n3t_verdict verdict;
	struct n3t_ratio value;
	u64 slices;
	unsigned int coverage;
	bool bounded;
	s64 low;
	s64 high;
	s64 error;
};

void n3t_quality_of_cpu(struct n3t_quality *quality, enum n3t_metric metric,
			const struct n3t_view *view);
void n3t_quality_of_several(struct n3t_quality *quality, enum n3t_metric metric,
			    const struct n3t_view *views, unsigned int nr);
void n3t_quality_estimate(struct n3t_estimate *estimate, enum n3t_metric metric,
			  const struct n3t_quality *quality);
size_t n3t_quality_print(char *buf, size_t size, enum n3t_metric metric,
			 const struct n3t_quality *quality);

#endif /* _N3T_QUALITY_H */
