/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* One CPU as values are formed from it. */
#ifndef _N3T_VIEW_H
#define _N3T_VIEW_H

#include "libn3t/n3t.h"
#include "libn3t/verdict.h"

struct n3t_anchor_totals;
struct n3t_covariance;
struct n3t_errors;
struct n3t_plan;
struct n3t_pool;
struct n3t_ring;
struct n3t_window;

/**
 * struct n3t_view - one CPU as values are formed from it
 * @state: the state of the CPU
 * @plan: the plan in force there
 * @window: sums of its slices; NULL if it is not sampled
 * @ring: the slices; read only if there is a @window
 * @covariance: how slices vary; likewise
 * @anchors: what anchors counted; likewise
 * @errors: those of the CPU and set that were asked for last: CPUs can have that in common
 * @pool: errors of the CPUs that have this plan, where several are looked at
 * @owns_pool: it is the first of these
 * @since_ns: start of the window, as n3t_window_init() was given it
 * @until_ns: end of the window: when it was begun with
 * @starved: see struct n3t_window
 * @included: its counts are in the value that n3t_quality_of_several() formed last
 */
struct n3t_view {
	enum n3t_cpu_state state;
	const struct n3t_plan *plan;
	struct n3t_window *window;
	const struct n3t_ring *ring;
	const struct n3t_covariance *covariance;
	const struct n3t_anchor_totals *anchors;
	struct n3t_errors *errors;
	struct n3t_pool *pool;
	bool owns_pool;
	u64 since_ns;
	u64 until_ns;
	bool starved;
	bool included;
};

#endif /* _N3T_VIEW_H */
