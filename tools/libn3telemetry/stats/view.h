/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* One CPU's data for inference. */
#ifndef LIBN3TELEMETRY_STATS_VIEW_H
#define LIBN3TELEMETRY_STATS_VIEW_H

#include "libn3t/n3t.h"
#include "libn3t/verdict.h"

struct moments;
struct n3t_errors;
struct n3t_plan;
struct n3t_pool;
struct n3t_window;

/**
 * struct cpu_view - one CPU's data for inference
 * @state: state of the CPU
 * @plan: the plan in force on it
 * @window: sums of its slices; NULL if it is not sampled
 * @moments: the file that they are from
 * @errors: errors of the CPU and set requested last; CPUs can share it
 * @pool: errors of the CPUs with this plan, if several are combined
 * @owns_pool: this view is the first of these
 * @included: the value last formed by n3t_quality_of_several() includes this CPU
 */
struct cpu_view {
	enum n3t_cpu_state state;
	const struct n3t_plan *plan;
	struct n3t_window *window;
	const struct moments *moments;
	struct n3t_errors *errors;
	struct n3t_pool *pool;
	bool owns_pool;
	bool included;
};

#endif
