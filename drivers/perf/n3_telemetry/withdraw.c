// SPDX-License-Identifier: GPL-2.0
/*
 * Judging sampled CPUs once a window, for totals.
 *
 * The sampler queues a work item when a window has passed, so a busy CPU is judged even if all
 * others sleep and nothing reads; a CPU that sleeps has no slices to judge. Readers of totals
 * judge a window that is due, too: the work item may be late.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "config.h"
#include "cpu.h"
#include "libn3t/judge.h"
#include "libn3t/slices.h"
#include "run.h"
#include "withdraw.h"

static struct n3t_cpu *cpus;	/* array of nr_cpu_ids */

/* Three windows of the length that values cover contain two whole ones, late ones included. */
static u64 window_ns(const struct n3t_run *run)
{
	return (u64)READ_ONCE(run->window_ms) * NSEC_PER_MSEC * 3 / 4;
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

static enum n3t_slots_identity judge(struct n3t_withdrawn *withdrawn, const struct n3t_run *run,
				     struct n3t_window *window)
{
	struct n3t_judge *judge = &withdrawn->judge;

	lockdep_assert_held(&withdrawn->lock);

	if (n3t_judge_take(window, run->judged, run->plan, &run->ring) &&
	    is_current(withdrawn, run->config->settings.enables))
		n3t_judge_window(judge, run->plan, window, !run->fallback, ktime_get_ns());
	return n3t_slots_identity(&judge->marks.slots);
}

/* Judges the slices of a run since its last window. */
static int judge_run(struct n3t_cpu *cpu, struct n3t_run *run)
{
	struct n3t_window *window = kvmalloc(n3t_window_bytes(run->plan), GFP_KERNEL_ACCOUNT);
	enum n3t_slots_identity identity;

	if (!window)
		return -ENOMEM;

	spin_lock(&cpu->withdrawn.lock);
	WRITE_ONCE(run->judge_ns, ktime_get_mono_fast_ns() + window_ns(run));
	identity = judge(&cpu->withdrawn, run, window);
	spin_unlock(&cpu->withdrawn.lock);
	if (identity == N3T_SLOTS_VIOLATED)
		pr_warn_once("CPU %u: OP_SPEC and STALL_SLOT do not add up to all slots, do not trust Topdown_L1\n",
			     cpu->cpu);
	kvfree(window);
	return 0;
}

/**
 * n3t_withdraw_judge() - judge the window of a CPU if it is due
 * @cpu: the CPU
 *
 * Context: may sleep; needs no lock.
 * Return: 0; -ENOMEM.
 */
int n3t_withdraw_judge(struct n3t_cpu *cpu)
{
	struct n3t_run *run = n3t_run_get(&cpu->run);
	int ret = 0;

	if (run && n3t_run_is_due(run, ktime_get_mono_fast_ns()))
		ret = judge_run(cpu, run);
	n3t_run_put(run);
	return ret;
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
	judge_run(cpu, run);
}

static void n3t_withdraw_work(struct work_struct *work)
{
	unsigned int i;

	for (i = 0; i < nr_cpu_ids; i++) {
		/* Without memory the next slice requests it again. */
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
	queue_work(system_dfl_wq, &work);
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
 */
void n3t_withdraw_init(struct n3t_cpu *all)
{
	unsigned int i;

	cpus = all;
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
