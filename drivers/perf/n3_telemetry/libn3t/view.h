/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* One CPU's data for computing values. */
#ifndef _N3T_VIEW_H
#define _N3T_VIEW_H

#include "libn3t/n3t.h"
#include "libn3t/verdict.h"

struct n3t_anchor_totals;
struct n3t_covariance;
struct n3t_plan;
struct n3t_ring;
struct n3t_window;

/**
 * struct n3t_view - one CPU's data for computing values
 * @state: state of the CPU
 * @plan: the plan in force on it
 * @window: sums of its slices; NULL if it is not sampled
 * @ring: the slices; used only with a @window
 * @covariance: variation of the slices; likewise
 * @anchors: totals of the anchors; likewise
 * @since_ns: start of the window, as passed to n3t_window_init()
 * @until_ns: end of the window: the time at which it was begun
 * @starved: see struct n3t_window
 * @slots_off: likewise
 */
struct n3t_view {
	enum n3t_cpu_state state;
	const struct n3t_plan *plan;
	struct n3t_window *window;
	const struct n3t_ring *ring;
	const struct n3t_covariance *covariance;
	const struct n3t_anchor_totals *anchors;
	u64 since_ns;
	u64 until_ns;
	bool starved;
	bool slots_off;
};

#endif /* _N3T_VIEW_H */
