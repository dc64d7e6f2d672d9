/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* May a value be shown, and if not, which word stands in its place. */
#ifndef _N3T_VERDICT_H
#define _N3T_VERDICT_H

#include "fixed.h"
#include "n3t.h"

struct n3t_plan;
struct n3t_window;

#define N3T_IDLE_CYCLES		100000	/* fewer in a window: idle */

/**
 * enum n3t_cpu_state - what the sampler says of a CPU as a whole
 * @N3T_CPU_OFFLINE: off line
 * @N3T_CPU_DISABLED: switched off, not chosen, or not a Neoverse N3
 * @N3T_CPU_UNPLACED: not one programmable counter to be had
 * @N3T_CPU_CONTENDED: the counters were given away
 * @N3T_CPU_SAMPLING: slices are taken
 */
enum n3t_cpu_state {
	N3T_CPU_OFFLINE,
	N3T_CPU_DISABLED,
	N3T_CPU_UNPLACED,
	N3T_CPU_CONTENDED,
	N3T_CPU_SAMPLING,
};

enum n3t_verdict n3t_cpu_verdict(enum n3t_cpu_state state, const struct n3t_window *window);
enum n3t_verdict n3t_custom_verdict(enum n3t_cpu_state state, const struct n3t_plan *plan,
				    const struct n3t_window *window);
void n3t_window_judge(struct n3t_window *window, const struct n3t_plan *plan);
enum n3t_verdict n3t_metric_value(enum n3t_metric metric, enum n3t_cpu_state state,
				  const struct n3t_plan *plan, const struct n3t_window *window,
				  struct n3t_ratio *value);

#endif /* _N3T_VERDICT_H */
