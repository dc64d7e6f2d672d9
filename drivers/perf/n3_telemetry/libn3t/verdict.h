/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Verdicts: a metric's value, or the word that replaces it. */
#ifndef _N3T_VERDICT_H
#define _N3T_VERDICT_H

#include "libn3t/fixed.h"
#include "libn3t/n3t.h"
#include "libn3t/slices.h"

struct n3t_formula;
struct n3t_plan;
struct n3t_set;

#define N3T_IDLE_CYCLES		100000	/* a window with fewer is idle */

/**
 * enum n3t_cpu_state - state of a CPU
 * @N3T_CPU_OFFLINE: offline
 * @N3T_CPU_DISABLED: sampling is off, excludes this CPU, or it is not a Neoverse N3
 * @N3T_CPU_UNPLACED: all programmable counters are reserved
 * @N3T_CPU_UNSUPPORTED: every chosen metric needs distrusted events
 * @N3T_CPU_CONTENDED: the counters are yielded, or in use by others
 * @N3T_CPU_SAMPLING: slices are taken
 * @N3T_NR_CPU_STATES: number of states
 */
enum n3t_cpu_state {
	N3T_CPU_OFFLINE,
	N3T_CPU_DISABLED,
	N3T_CPU_UNPLACED,
	N3T_CPU_UNSUPPORTED,
	N3T_CPU_CONTENDED,
	N3T_CPU_SAMPLING,
	N3T_NR_CPU_STATES,
};

enum n3t_verdict n3t_cpu_verdict(enum n3t_cpu_state state, struct n3t_window *window);
enum n3t_verdict n3t_custom_verdict(enum n3t_cpu_state state, const struct n3t_plan *plan,
				    struct n3t_window *window);
enum n3t_verdict n3t_custom_event_verdict(u16 code, const struct n3t_plan *plan,
					  struct n3t_window *window);
void n3t_window_judge(struct n3t_window *window, const struct n3t_plan *plan);
s64 n3t_window_slots_error(struct n3t_window *window, const struct n3t_plan *plan, bool other);
bool n3t_lacks_reads(const struct n3t_formula *formula, const struct n3t_set *set,
		     const struct n3t_set_sum *sum);
enum n3t_trust n3t_window_trust(struct n3t_window *window, const struct n3t_plan *plan);
enum n3t_verdict n3t_metric_counts(enum n3t_metric metric, enum n3t_cpu_state state,
				   const struct n3t_plan *plan, struct n3t_window *window,
				   struct n3t_counts *counts);
void n3t_window_faults(struct n3t_window *window, const struct n3t_plan *plan,
		       unsigned long *faults);
enum n3t_verdict n3t_metric_value(enum n3t_metric metric, enum n3t_cpu_state state,
				  const struct n3t_plan *plan, struct n3t_window *window,
				  struct n3t_ratio *value);

#endif /* _N3T_VERDICT_H */
