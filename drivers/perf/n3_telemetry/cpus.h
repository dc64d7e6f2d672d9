/* SPDX-License-Identifier: GPL-2.0 */
/* The CPUs: taking counters, sampling, giving them back, through CPU hotplug. */
#ifndef _N3T_CPUS_H
#define _N3T_CPUS_H

#include <linux/timekeeping.h>

#include "counters.h"
#include "neighbour.h"
#include "sampler.h"
#include "verdict.h"

struct n3t_config;

/**
 * struct n3t_cpu - one CPU
 * @cpu: its number
 * @state: what to say of it
 * @covered: the PMU can count on it
 * @budget: programmable counters it has for us, 0 while it holds none
 * @counters: what it holds, unless sets are changed through perf
 * @run: set while it is sampled
 * @next_run: the same for the configuration that is being applied
 * @sampler: ends slices
 * @neighbour: looks whether others need the counters
 * @slices: slices taken since the module was loaded, by what became of them
 * @ticks: how often the sampler ran
 * @cost_ns: what it took in all
 *
 * All of it: n3t_control_lock, for reading by those who show values, for
 * writing by those who change anything. While @sampler is on, what it uses
 * belongs to it: @counters, the contents of @run, @slices, @ticks, @cost_ns.
 * Readers of those need no more than the lock that keeps @run there.
 */
struct n3t_cpu {
	unsigned int cpu;
	enum n3t_cpu_state state;
	bool covered;
	unsigned int budget;
	struct n3t_counters counters;
	struct n3t_run *run;
	struct n3t_run *next_run;
	struct n3t_sampler sampler;
	struct n3t_neighbour neighbour;
	u64 slices[N3T_NR_SLICE_STATES];
	u64 ticks;
	u64 cost_ns;
};

extern bool n3t_cpus_loading;

/* This clock may be a little behind where another CPU has read it. */
static inline u64 n3t_ns_since(u64 then_ns)
{
	u64 now_ns = ktime_get_mono_fast_ns();

	return now_ns > then_ns ? now_ns - then_ns : 0;
}

int n3t_cpus_init(void);
void n3t_cpus_exit(void);
void n3t_cpus_quiesce(void);
struct n3t_cpu *n3t_cpus_get(unsigned int cpu);
int n3t_cpus_apply(struct n3t_config *config);
int n3t_cpus_online(unsigned int nr);
int n3t_cpus_offline(unsigned int nr);
void n3t_cpus_leave(struct n3t_cpu *cpu);
u64 n3t_cpus_dropped(const struct n3t_cpu *cpu);
bool n3t_cpus_return(struct n3t_cpu *cpu);
void n3t_cpus_grow(struct n3t_cpu *cpu);

#endif /* _N3T_CPUS_H */
