// SPDX-License-Identifier: GPL-2.0
/*
 * Judging sampled CPUs once a window, for totals.
 *
 * The sampler queues a work item when a window has passed, so a busy CPU is judged even if all
 * others sleep and nothing reads; a CPU that sleeps has no slices to judge. Readers of totals
 * judge a window that is due, too: the work item may be late.
 */
#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "config.h"
#include "cost.h"
#include "cpu.h"
#include "libn3t/judge.h"
#include "libn3t/slices.h"
#include "run.h"
#include "withdraw.h"

static struct n3t_cpu *cpus;	/* array of nr_cpu_ids */
static struct workqueue_struct *queue;

/* Three windows of the length that values cover contain two whole ones, late ones included. */
static u64 window_ns(const struct n3t_run *run)
{
	return (u64)READ_ONCE(run->window_ms) * NSEC_PER_MSEC * 7 / 8;
}

/* Marks of an earlier @enables are void, and a run of an earlier one does not add any. */
static bool is_current(struct n3t_withdrawn *withdrawn, unsigned int enables)
{
	lockdep_assert_held(&withdrawn->lock);

	if ((int)(enables - withdrawn->enables) > 0) {
		n3t_judge_reset(&withdrawn->judge);
		WRITE_ONCE(withdrawn->enables, enables);
	}
	return enables == withdrawn->enables;
}

/* Judges the slices of a run since its last window, or waits for more of them. */
static void judge_run(struct n3t_cpu *cpu, struct n3t_run *run)
{
	struct n3t_withdrawn *withdrawn = &cpu->withdrawn;
	struct n3t_judge *judge = &withdrawn->judge;
	u64 start = n3t_cost_clock(), next_ns = window_ns(run);

	lockdep_assert_held(&withdrawn->lock);

	if (!n3t_judge_take(run->judging, run->judged, run->plan, &run->ring)) {
		/* A new run begins its first window. */
		if (run->judge_ns)
			next_ns /= 8;
	} else if (is_current(withdrawn, run->config->settings.enables)) {
		n3t_judge_window(judge, run->plan, run->judging, !run->fallback, ktime_get_ns());
		if (n3t_slots_identity(&judge->marks.slots) == N3T_SLOTS_VIOLATED)
			pr_warn_once("CPU %u: OP_SPEC and STALL_SLOT do not add up to all slots, do not trust Topdown_L1\n",
				     cpu->cpu);
	}
	WRITE_ONCE(run->judge_ns, ktime_get_mono_fast_ns() + next_ns);
	WRITE_ONCE(withdrawn->cost, withdrawn->cost + n3t_cost_clock() - start);
}

/**
 * n3t_withdraw_judge() - judge the window of a CPU if it is due
 * @cpu: the CPU
 *
 * Context: may sleep; needs no lock.
 */
void n3t_withdraw_judge(struct n3t_cpu *cpu)
{
	struct n3t_run *run = n3t_run_get(&cpu->run);

	if (run && n3t_run_is_due(run, ktime_get_mono_fast_ns())) {
		spin_lock(&cpu->withdrawn.lock);
		/* Another reader may have judged it meanwhile. */
		if (n3t_run_is_due(run, ktime_get_mono_fast_ns()))
			judge_run(cpu, run);
		spin_unlock(&cpu->withdrawn.lock);
	}
	n3t_run_put(run);
}

/**
 * n3t_withdraw_rest() - judge the end of a run
 * @cpu: the CPU
 * @run: its run, with its sampler stopped
 *
 * Faults are found although other users of the PMU end each run within a window.
 *
 * Context: may sleep.
 */
void n3t_withdraw_rest(struct n3t_cpu *cpu, struct n3t_run *run)
{
	/* Whoever holds the lock judges it; with PREEMPT_RT that may take long. */
	if (!spin_trylock(&cpu->withdrawn.lock))
		return;
	judge_run(cpu, run);
	spin_unlock(&cpu->withdrawn.lock);
}

static void n3t_withdraw_work(struct work_struct *work)
{
	unsigned int i;

	for (i = 0; i < nr_cpu_ids; i++) {
		n3t_withdraw_judge(&cpus[i]);
		cond_resched();
	}
}

static DECLARE_WORK(work, n3t_withdraw_work);

/**
 * n3t_withdraw_queue() - have all CPUs judged whose windows are due
 *
 * Context: any; until n3t_withdraw_quiesce().
 */
void n3t_withdraw_queue(void)
{
	queue_work(queue, &work);
}

/**
 * n3t_withdraw_all() - withdraw all metrics of a CPU
 * @cpu: the CPU
 * @enables: number of writes of 1 to "enable" when it was sampled
 *
 * Context: may sleep; needs no lock.
 */
void n3t_withdraw_all(struct n3t_cpu *cpu, unsigned int enables)
{
	struct n3t_withdrawn *withdrawn = &cpu->withdrawn;

	spin_lock(&withdrawn->lock);
	if (is_current(withdrawn, enables))
		n3t_judge_withdraw_all(&withdrawn->judge, ktime_get_ns());
	else
		withdrawn->judge.marks.withdrawals += N3T_NR_METRICS;
	spin_unlock(&withdrawn->lock);
}

/**
 * n3t_withdraw_marks() - get the metrics of a CPU that are withdrawn
 * @cpu: the CPU
 * @marks: what judging it has found so far
 *
 * Context: may sleep; needs no lock.
 */
void n3t_withdraw_marks(struct n3t_cpu *cpu, struct n3t_marks *marks)
{
	struct n3t_withdrawn *withdrawn = &cpu->withdrawn;
	struct n3t_config *config = n3t_config_get();

	spin_lock(&withdrawn->lock);
	is_current(withdrawn, config->settings.enables);
	n3t_judge_review(&withdrawn->judge, ktime_get_ns());
	*marks = withdrawn->judge.marks;
	spin_unlock(&withdrawn->lock);
	n3t_config_put(config);
}

/**
 * n3t_withdraw_slots_off() - do the slots of a CPU contradict each other
 * @cpu: the CPU
 * @enables: number of writes of 1 to "enable" when it was sampled
 *
 * Context: any; needs no lock.
 * Return: true if they did in its last two windows.
 */
bool n3t_withdraw_slots_off(const struct n3t_cpu *cpu, unsigned int enables)
{
	return READ_ONCE(cpu->withdrawn.enables) == enables &&
	       n3t_slots_are_off(&cpu->withdrawn.judge.marks.slots);
}

/**
 * n3t_withdraw_init() - initialize the judging of CPUs
 * @all: array of nr_cpu_ids CPUs, none sampled yet
 * @unbound: queue of the module
 */
void n3t_withdraw_init(struct n3t_cpu *all, struct workqueue_struct *unbound)
{
	unsigned int i;

	cpus = all;
	queue = unbound;
	for (i = 0; i < nr_cpu_ids; i++)
		spin_lock_init(&cpus[i].withdrawn.lock);
}

/**
 * n3t_withdraw_quiesce() - wait for the work item
 *
 * Context: may sleep; all CPUs stopped, no lock held.
 */
void n3t_withdraw_quiesce(void)
{
	cancel_work_sync(&work);
}
