/* SPDX-License-Identifier: GPL-2.0 */
/* State of one CPU, and the owner of each part of it. */
#ifndef _N3T_CPU_H
#define _N3T_CPU_H

#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/kernel_stat.h>
#include <linux/mutex.h>
#include <linux/seqlock.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

#include "counters.h"
#include "libn3t/contention.h"
#include "libn3t/core.h"
#include "libn3t/judge.h"
#include "libn3t/pace.h"
#include "libn3t/replicates.h"
#include "libn3t/slices.h"
#include "libn3t/spe.h"
#include "libn3t/totals.h"
#include "libn3t/verdict.h"
#include "power.h"
#include "run.h"

struct n3t_pmu;
struct n3t_taker;

/**
 * enum n3t_containers - whether runs of tasks are sampled on a CPU
 * @N3T_CONTAINERS_OFF: not wanted, or the CPU is not sampled
 * @N3T_CONTAINERS_SAMPLED: they are
 * @N3T_CONTAINERS_NO_DIRECT: counters are not read through registers
 * @N3T_CONTAINERS_SPLIT: no set counts all of Topdown_L1
 * @N3T_CONTAINERS_TOO_MANY: switches alone cost too much
 */
enum n3t_containers {
	N3T_CONTAINERS_OFF,
	N3T_CONTAINERS_SAMPLED,
	N3T_CONTAINERS_NO_DIRECT,
	N3T_CONTAINERS_SPLIT,
	N3T_CONTAINERS_TOO_MANY,
};

/**
 * struct n3t_sampler - timers that end slices
 * @run: the run that is sampled, NULL while the CPU only polls for counters
 * @timer: used on most CPUs; does not wake an idle one
 * @at_tick: replaces @timer while a CPU stays busy: runs at the tick, at a tenth
 *	of the cost
 * @at_once: runs @at_tick immediately instead of at the tick
 * @hrtimer: used on CPUs without the scheduler's tick
 * @work: used where perf switches sets, which may sleep
 * @isolated: since boot, no tick or isolated from the scheduler: use @hrtimer
 * @interval_ms: length of a slice, or time between two polls
 * @interval_ticks: the same in ticks, at least one
 * @slice_ms: length of a slice, now or when last sampled
 * @pace: cost of slices, which determines their length
 * @busy: number of consecutive slices at whose end @timer found the CPU busy
 * @busy_ns: busy time of the CPU when the last slice ended
 * @due_ns: when @timer, @at_tick or @work should end the slice, to half a tick
 * @check_ns: when to check for waiting users before that, to half a tick;
 *	U64_MAX for never
 * @check_cost: cost of these checks during this slice, by n3t_cost_clock()
 * @stopping: none of the timers may be started again
 */
struct n3t_sampler {
	struct n3t_run *run;
	struct timer_list timer;
	struct irq_work at_tick;
	struct irq_work at_once;
	struct hrtimer hrtimer;
	struct delayed_work work;
	bool isolated;
	unsigned int interval_ms;
	unsigned int interval_ticks;
	unsigned int slice_ms;
	struct n3t_pace pace;
	unsigned int busy;
	u64 busy_ns;
	u64 due_ns;
	u64 check_ns;
	u64 check_cost;
	bool stopping;
};

/**
 * struct n3t_withdrawn - metrics of a CPU whose totals are not shown
 * @lock: also protects @judged, @judging and writes of @judge_ns of the CPU's runs; the
 *	sampler does not take it
 * @enables: number of writes of 1 to "enable" of which @judge knows
 * @judge: finds and remembers them
 */
struct n3t_withdrawn {
	raw_spinlock_t lock;	/* see withdraw.c */
	unsigned int enables;
	struct n3t_judge judge;
};

/**
 * struct n3t_work_cost - cost of a CPU's work items
 * @cost: total time, by n3t_cost_clock(); written under the CPU's lock
 * @before: @cost at @since_ns
 * @since_ns: start of the current second or more
 * @ppm: cost in the interval before that, in millionths of the time
 *
 * The sampler owns all but @cost.
 */
struct n3t_work_cost {
	u64 cost;
	u64 before;
	u64 since_ns;
	u64 ppm;
};

/**
 * struct n3t_cpu - one CPU
 * @cpu: its number
 * @lock: see below
 * @state: reported state while it has no run; never N3T_CPU_SAMPLING
 * @pmu: the PMU that counts on it, or NULL
 * @uncovered: reason if @pmu is NULL: the error of n3t_pmu_of_cpu(), also in the log
 * @spe: its SPE registers, read when it first comes online
 * @guest_counters: counters that a partitioned PMU gives to guests, 0 for none, or
 *	N3T_GUESTS_UNKNOWN; read when it comes online, and while it polls
 * @overcounts: n3t_core_overcounts(), so slices are corrected; written before @pmu
 * @budget: programmable counters that it samples with, 0 while it holds none
 * @counters: counters held, unless sets are switched through perf
 * @run: set while it is sampled
 * @next_run: run for the configuration that is being applied
 * @isolated: as last checked: not sampled unless named; written under @lock
 * @changing: a configuration is being applied; only yielding is allowed
 * @late: @work has to change over to the configuration in force: the sampler could not be
 *	stopped
 * @sampler: ends slices
 * @taker: takes pieces of runs, NULL before the first use: see containers.c
 * @containers: whether it does
 * @containers_ppm: what that cost in the last second, in millionths of the time
 * @contention: state of other users that need counters
 * @power: cost of losing power when idle
 * @seq: gives readers a consistent view of the yields in @contention, and of @run with
 *	@totals, @replicates and @times
 * @totals: counts of the runs before @run
 * @replicates: the same by replicate
 * @times: time before @run, by use
 * @withdrawn: metrics whose totals are not shown
 * @work: performs changes that the sampler cannot do, because they sleep, on any CPU
 * @bound_work: the same on another CPU, if @work has not begun in time
 * @bound_cpu: that CPU
 * @todo: request for both: written by the sampler, consumed by them
 * @asked_ns: when one of the two was last queued
 * @yield_due_ns: since when a yield has been requested, 0 if none is
 * @work_cost: time that they take
 * @slices: slices since the module was loaded, by outcome
 * @ticks: number of sampler runs
 * @cost: total time of the sampler, by n3t_cost_clock()
 *
 * @lock belongs to this CPU alone. CPU hotplug, changes of settings and @work take
 * it to change what the CPU does. It nests inside the CPU hotplug lock and
 * n3t_control_lock, outside perf's locks. No other CPU and no reader waits for it.
 * Its holder does not wait for a thread of the CPU, where a real-time task may keep
 * all others from running.
 *
 * While @sampler runs, it owns @counters, the contents of @run, @contention,
 * @slices, @ticks and @cost. Others stop it before they change these. @power
 * belongs to the CPU itself, interrupts off.
 *
 * Readers of values take no lock: they hold @run, by n3t_cpu_run(), and read
 * single words (@budget, @slices, @ticks, @cost, @power) directly.
 */
struct n3t_cpu {
	unsigned int cpu;
	struct mutex lock;		/* of this CPU alone */
	enum n3t_cpu_state state;
	struct n3t_pmu *pmu;
	int uncovered;
	struct n3t_spe_regs spe;
	int guest_counters;
	bool overcounts;
	unsigned int budget;
	struct n3t_counters counters;
	struct n3t_run __rcu *run;
	struct n3t_run *next_run;
	bool isolated;
	bool changing;
	bool late;
	struct n3t_sampler sampler;
	struct n3t_taker *taker;
	enum n3t_containers containers;
	u64 containers_ppm;
	struct n3t_contention contention;
	struct n3t_power power;
	seqcount_t seq;			/* preemption disabled: RT readers would take @lock */
	struct n3t_totals totals;
	struct n3t_replicate_totals replicates;
	struct n3t_times times;
	struct n3t_withdrawn withdrawn;
	struct delayed_work work;
	struct work_struct bound_work;
	unsigned int bound_cpu;
	enum n3t_todo todo;
	u64 asked_ns;
	u64 yield_due_ns;
	struct n3t_work_cost work_cost;
	u64 slices[N3T_NR_SLICE_STATES];
	u64 ticks;
	u64 cost;
};

/* The clock may lag slightly behind a reading taken on another CPU. */
static inline u64 n3t_ns_since(u64 then_ns)
{
	u64 now_ns = ktime_get_mono_fast_ns();

	return now_ns > then_ns ? now_ns - then_ns : 0;
}

/* Busy time of a CPU as accounted by the tick. */
static inline u64 n3t_cpu_busy_ns(unsigned int cpu)
{
	const struct kernel_cpustat *stat = &kcpustat_cpu(cpu);

	return READ_ONCE(stat->cpustat[CPUTIME_USER]) + READ_ONCE(stat->cpustat[CPUTIME_NICE]) +
	       READ_ONCE(stat->cpustat[CPUTIME_SYSTEM]) + READ_ONCE(stat->cpustat[CPUTIME_IRQ]) +
	       READ_ONCE(stat->cpustat[CPUTIME_SOFTIRQ]);
}

struct n3t_cpu *n3t_cpus_get(unsigned int cpu);
void n3t_cpu_request(struct n3t_cpu *cpu, enum n3t_todo todo);

/* n3t_cpu_request() if there is anything to do */
static inline void n3t_cpu_ask(struct n3t_cpu *cpu, enum n3t_todo todo)
{
	if (todo != N3T_TODO_NONE)
		n3t_cpu_request(cpu, todo);
}

/* Total time of the sampler and of the work items, by n3t_cost_clock(). */
static inline u64 n3t_cpu_cost(const struct n3t_cpu *cpu)
{
	return READ_ONCE(cpu->cost) + READ_ONCE(cpu->work_cost.cost);
}

/* Decides what differs between CPUs of one machine, by MIDR_EL1. */
static inline void n3t_cpu_identify(struct n3t_cpu *cpu, u32 midr)
{
	WRITE_ONCE(cpu->overcounts, n3t_core_overcounts(midr));
}

/* The run of a CPU, for n3t_run_put(), and its state; NULL if it is not sampled. */
static inline struct n3t_run *n3t_cpu_run(struct n3t_cpu *cpu, enum n3t_cpu_state *state)
{
	struct n3t_run *run = n3t_run_get(&cpu->run);

	/*
	 * The state is written before the run is removed, so a reader that
	 * finds no run sees the new state. Pairs with smp_wmb() in stop() in
	 * claim.c.
	 */
	smp_rmb();
	*state = run ? N3T_CPU_SAMPLING : READ_ONCE(cpu->state);
	return run;
}

#endif /* _N3T_CPU_H */
