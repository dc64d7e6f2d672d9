/* SPDX-License-Identifier: GPL-2.0 */
/* The state of one CPU, and who may touch which part of it. */
#ifndef _N3T_CPU_H
#define _N3T_CPU_H

#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/mutex.h>
#include <linux/seqlock.h>
#include <linux/timekeeping.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

#include "counters.h"
#include "libn3t/contention.h"
#include "libn3t/pace.h"
#include "libn3t/slices.h"
#include "libn3t/spe.h"
#include "libn3t/verdict.h"
#include "power.h"
#include "run.h"

struct n3t_pmu;

/**
 * struct n3t_sampler - what makes slices end
 * @run: what is sampled, NULL while the CPU only polls for counters
 * @timer: on most CPUs; does not wake an idle one
 * @at_tick: the same while a CPU stays busy: at the tick, for a tenth of the cost
 * @at_once: has @at_tick done now rather than at the tick
 * @hrtimer: on CPUs that are isolated from the scheduler's tick
 * @work: where perf changes the sets, which may sleep
 * @isolated: since boot it has no tick or is isolated from the scheduler: use @hrtimer
 * @interval_ms: length of a slice, or between two polls
 * @interval_ticks: the same in ticks, at least one
 * @slice_ms: length of a slice, now or when it was sampled last
 * @pace: what slices take, and so how long they are
 * @busy: slices in a row at whose end @timer found the CPU busy
 * @busy_ns: time that the CPU was busy, when the last slice ended
 * @due_ns: when @timer, @at_tick or @work is to end a slice, to half a tick
 * @check_ns: when others who wait are to be looked for before that, to half a tick;
 *	U64_MAX for never
 * @check_cost: what that took since the slice began, by n3t_cost_clock()
 * @stopping: none of them may be started again
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
 * struct n3t_cpu - one CPU
 * @cpu: its number
 * @lock: see below
 * @state: what to say of it while it has no run: never N3T_CPU_SAMPLING
 * @pmu: the PMU that counts on it, NULL if none does
 * @uncovered: why none does, as the log has it: an error of n3t_pmu_of_cpu()
 * @spe: registers of its SPE, read when it comes online for the first time
 * @guest_counters: counters that a partitioned PMU gives to guests, 0 for none, or
 *	N3T_GUESTS_UNKNOWN; read when it comes online, and while it polls
 * @budget: programmable counters it has for us, 0 while it holds none
 * @counters: what it holds, unless sets are changed through perf
 * @run: set while it is sampled
 * @next_run: the same for the configuration that is being applied
 * @isolated: when last looked at: not sampled unless named; written with @lock
 * @changing: a configuration is being applied: no other change but yielding
 * @sampler: ends slices
 * @contention: what is known of others who need the counters
 * @power: what it costs that the CPU loses its power when idle
 * @yields_seq: makes readers see one state of what @contention says of yields
 * @work: changes what the sampler cannot change by itself
 * @todo: what @work is to do: written by the sampler, taken by @work
 * @slices: slices taken since the module was loaded, by outcome
 * @ticks: how often the sampler ran
 * @cost: how long it took in total, by n3t_cost_clock()
 *
 * @lock is that of this CPU alone: whoever changes what the CPU does takes it, CPU
 * hotplug, changes of settings, and @work. Taken inside the CPU hotplug lock and
 * n3t_control_lock, outside perf's locks. While it is held no other CPU and no reader
 * has to wait.
 *
 * While @sampler is on, what it uses belongs to it: @counters, the contents of @run,
 * @contention, @slices, @ticks, @cost. To touch those @sampler is stopped first. @power
 * belongs to the CPU itself, interrupts off.
 *
 * Readers of values take no lock: they hold @run, by n3t_cpu_run(), and read single
 * words (@budget, @slices, @ticks, @cost, @power) as they are.
 */
struct n3t_cpu {
	unsigned int cpu;
	struct mutex lock;		/* of this CPU alone */
	enum n3t_cpu_state state;
	struct n3t_pmu *pmu;
	int uncovered;
	struct n3t_spe_regs spe;
	int guest_counters;
	unsigned int budget;
	struct n3t_counters counters;
	struct n3t_run __rcu *run;
	struct n3t_run *next_run;
	bool isolated;
	bool changing;
	struct n3t_sampler sampler;
	struct n3t_contention contention;
	struct n3t_power power;
	seqcount_t yields_seq;		/* preemption disabled: RT readers would take @lock */
	struct work_struct work;
	enum n3t_todo todo;
	u64 slices[N3T_NR_SLICE_STATES];
	u64 ticks;
	u64 cost;
};

/* This clock may be a little behind where another CPU has read it. */
static inline u64 n3t_ns_since(u64 then_ns)
{
	u64 now_ns = ktime_get_mono_fast_ns();

	return now_ns > then_ns ? now_ns - then_ns : 0;
}

/**
 * n3t_cpu_ask() - have the work item of a CPU do what may sleep
 * @cpu: the CPU
 * @todo: what is to be done, unless something of higher precedence was asked for that is
 *	  not done yet
 *
 * Context: any.
 */
static inline void n3t_cpu_ask(struct n3t_cpu *cpu, enum n3t_todo todo)
{
	enum n3t_todo before = READ_ONCE(cpu->todo);

	if (todo == N3T_TODO_NONE)
		return;
	while (before < todo && !try_cmpxchg(&cpu->todo, &before, todo))
		;
	schedule_work_on(cpu->cpu, &cpu->work);
}

/**
 * n3t_cpu_run() - what a CPU is sampled with, for a reader
 * @cpu: the CPU
 * @state: set to the state of the CPU
 *
 * Context: any; needs no lock.
 * Return: the run for n3t_run_put(); NULL if the CPU is not sampled.
 */
static inline struct n3t_run *n3t_cpu_run(struct n3t_cpu *cpu, enum n3t_cpu_state *state)
{
	struct n3t_run *run = n3t_run_get(&cpu->run);

	/*
	 * The state is written before the run is removed, so who sees no run sees the
	 * state. Pairs with smp_wmb() in stop() in cpus.c.
	 */
	smp_rmb();
	*state = run ? N3T_CPU_SAMPLING : READ_ONCE(cpu->state);
	return run;
}

#endif /* _N3T_CPU_H */
