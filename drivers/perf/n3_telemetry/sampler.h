/* SPDX-License-Identifier: GPL-2.0 */
/* Slices, one after another, on each CPU by itself. */
#ifndef _N3T_SAMPLER_H
#define _N3T_SAMPLER_H

#include <linux/hrtimer.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

#include "plan.h"
#include "slices.h"

struct n3t_cpu;
struct n3t_fallback;

/**
 * struct n3t_run - what sampling a CPU under one configuration needs
 * @plan: the plan; belongs to the configuration
 * @ring: the recent slices
 * @totals: running totals
 * @rotation: where the CPU is in the plan
 * @current_set: the set that is counted now, N3T_NO_SET before the first slice
 * @fallback: perf events of all sets if they are not changed in place, or NULL
 */
struct n3t_run {
	const struct n3t_plan *plan;
	struct n3t_ring ring;
	struct n3t_totals totals;
	struct n3t_rotation rotation;
	int current_set;
	struct n3t_fallback *fallback;
};

/**
 * struct n3t_sampler - what makes slices end
 * @timer: on most CPUs; does not wake an idle one
 * @hrtimer: on CPUs that are isolated from the scheduler's tick
 * @work: where perf changes the sets, which may sleep
 * @interval_ms: length of a slice
 * @stopping: none of the three must be started again
 */
struct n3t_sampler {
	struct timer_list timer;
	struct hrtimer hrtimer;
	struct delayed_work work;
	unsigned int interval_ms;
	bool stopping;
};

void n3t_sampler_init(struct n3t_cpu *cpu);
struct n3t_run *n3t_run_alloc(unsigned int cpu, const struct n3t_plan *plan, unsigned int slots,
			      bool in_place);
void n3t_run_free(struct n3t_run *run);
void n3t_sampler_start(struct n3t_cpu *cpu, unsigned int interval_ms);
void n3t_sampler_stop(struct n3t_cpu *cpu);
bool n3t_sampler_is_isolated(unsigned int cpu);

#endif /* _N3T_SAMPLER_H */
