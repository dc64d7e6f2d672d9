/* SPDX-License-Identifier: GPL-2.0 */
/* Slices, one after another, on each CPU by itself. */
#ifndef _N3T_SAMPLER_H
#define _N3T_SAMPLER_H

#include <linux/completion.h>
#include <linux/kobject.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

#include "counters.h"
#include "plan.h"
#include "slices.h"
#include "verdict.h"

struct n3t_config;
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
 * struct n3t_cpu - one CPU
 * @cpu: its number
 * @state: what to say of it
 * @covered: the PMU can count on it
 * @budget: programmable counters it has for us, 0 while it is not sampled
 * @counters: what it holds, unless sets are changed through perf
 * @run: set while it is sampled
 * @next_run: the same for the configuration that is being applied
 * @timer: ends slices
 * @work: ends slices where perf changes the sets
 * @slice_jiffies: how long a slice takes
 * @stopping: @timer and @work must not be started again
 * @slices: slices taken since the module was loaded
 * @dropped: those of them that were dropped
 * @kobj: the folder cpuN
 * @released: nobody uses @kobj any more
 *
 * All but @kobj: n3t_control_lock, for reading by those who show values, for
 * writing by those who change settings and by CPU hotplug. While @timer or
 * @work is on, what they use belongs to them: @counters and the contents of
 * @run, @slices and @dropped; readers of those need no more than the lock that
 * keeps @run there.
 */
struct n3t_cpu {
	unsigned int cpu;
	enum n3t_cpu_state state;
	bool covered;
	unsigned int budget;
	struct n3t_counters counters;
	struct n3t_run *run;
	struct n3t_run *next_run;
	struct timer_list timer;
	struct delayed_work work;
	unsigned long slice_jiffies;
	bool stopping;
	u64 slices;
	u64 dropped;
	struct kobject kobj;
	struct completion released;
};

void n3t_sampler_init_cpu(struct n3t_cpu *cpu, unsigned int nr);
struct n3t_run *n3t_run_alloc(unsigned int cpu, const struct n3t_plan *plan, unsigned int slots,
			      bool in_place);
void n3t_run_free(struct n3t_run *run);
void n3t_sampler_start(struct n3t_cpu *cpu, struct n3t_run *run, unsigned int slice_ms);
void n3t_sampler_stop(struct n3t_cpu *cpu);

#endif /* _N3T_SAMPLER_H */
