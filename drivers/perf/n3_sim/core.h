/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A simulated CPU: its counters and its workload.
 *
 *   scenarios, rates per event     workload of a CPU
 *          |  rates.c              exact integral over time
 *   C(event, t)                    number of occurrences until time t
 *          |  core.c               counters that start, stop and hold their value
 *   counter values
 *          |  pmu.c                a perf PMU
 *   perf events
 *
 * Counts are computed when read, without a timer, so an idle CPU sleeps.
 *
 * Cycles and the events of Topdown_L1 can follow the running cgroup instead of the
 * script: runs.c. The clock stands still while context switches are observed.
 *
 * Locking: a struct n3_sim_core belongs to its CPU. It is written only there,
 * with interrupts off: by the callbacks of the PMU, which perf calls that way,
 * and by settings.c. The latter writes the script, rates and flags under
 * n3_sim_settings_lock as well, so either is enough to read them. At context
 * switches, cgroups.c writes the run and the clock. Counters must not be used from
 * an NMI.
 */
#ifndef _N3_SIM_CORE_H
#define _N3_SIM_CORE_H

#include <linux/bitmap.h>
#include <linux/types.h>

#include "libn3t/n3t.h"
#include "rates.h"
#include "runs.h"

/* The cycle counter; programmable counters are 0 to N3T_MAX_COUNTERS - 1. */
#define N3_SIM_CYCLE_COUNTER	N3T_MAX_COUNTERS
#define N3_SIM_NR_COUNTERS	(N3T_MAX_COUNTERS + 1)

/**
 * struct n3_sim_counter - one counter
 * @value: its value, without events counted since @base was taken
 * @base: the CPU's count of the event when counting started
 * @event: enum n3t_event, or negative for an event that never happens
 * @on: started; it counts while the core's counters are enabled, too
 */
struct n3_sim_counter {
	u64 value;
	u64 base;
	int event;
	bool on;
};

/**
 * struct n3_sim_core - the state of a CPU that is visible to its PMU
 * @script: its workload
 * @epoch: start of @script in ns
 * @base: counts of each event until @epoch
 * @rates: custom rates, referenced by a script
 * @idle: no events happen on this CPU
 * @only_cycles: only CPU_CYCLES is counted
 * @run: the run of the current task, if events follow its cgroup
 * @frozen_ns: time at which the clock was stopped, or 0
 * @lost_ns: time in which it was
 * @enabled: started counters count
 * @used: counters allocated by perf, one bit each
 * @most_used: maximum number of programmable counters in @used so far
 * @counter: the programmable counters and the cycle counter
 */
struct n3_sim_core {
	struct n3_sim_script script;
	u64 epoch;
	struct n3_sim_count base[N3T_NR_EVENTS];
	u64 rates[N3T_NR_EVENTS];
	bool idle;
	bool only_cycles;
	struct n3_sim_run run;
	u64 frozen_ns;
	u64 lost_ns;
	/* the rest is written only by the callbacks of the PMU */
	bool enabled;
	DECLARE_BITMAP(used, N3_SIM_NR_COUNTERS);
	unsigned int most_used;
	struct n3_sim_counter counter[N3_SIM_NR_COUNTERS];
};

void n3_sim_core_init(struct n3_sim_core *core, const u64 *rates, u64 now);
u64 n3_sim_core_count(const struct n3_sim_core *core, enum n3t_event event, u64 now);
const struct n3_sim_phase *n3_sim_core_phase(const struct n3_sim_core *core, u64 now);
void n3_sim_core_fold(struct n3_sim_core *core, u64 now);
void n3_sim_core_follow(struct n3_sim_core *core, const struct n3_sim_owners *owners,
			struct n3_sim_truth *truth, unsigned int owner, u64 now);
void n3_sim_core_freeze(struct n3_sim_core *core, u64 local_ns);
void n3_sim_core_switch(struct n3_sim_core *core, unsigned int owner, u64 local_ns);
void n3_sim_core_disable(struct n3_sim_core *core, u64 now);
void n3_sim_core_enable(struct n3_sim_core *core, u64 now);
int n3_sim_counter_find(const unsigned long *used, u16 code, unsigned int limit);
void n3_sim_counter_program(struct n3_sim_core *core, int idx, u16 code);
void n3_sim_counter_start(struct n3_sim_core *core, int idx, u64 now);
void n3_sim_counter_stop(struct n3_sim_core *core, int idx, u64 now);
u64 n3_sim_counter_read(const struct n3_sim_core *core, int idx, u64 now);

/**
 * n3_sim_core_clock() - get the time of a CPU, which stands still while it is frozen
 * @core: the CPU
 * @local_ns: the CPU's local_clock()
 *
 * Context: on the CPU of @core with interrupts off, or while @core is not in use.
 * Return: time in ns.
 */
static inline u64 n3_sim_core_clock(const struct n3_sim_core *core, u64 local_ns)
{
	return core->frozen_ns ?: local_ns - core->lost_ns;
}

#endif /* _N3_SIM_CORE_H */
