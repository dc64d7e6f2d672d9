// SPDX-License-Identifier: GPL-2.0
/*
 * Judging sampled CPUs once a window, for totals.
 *
 * The sampler asks for the CPU's work item when a window has passed: a CPU that sleeps has no
 * slices to judge. Readers of totals judge a window that is due, too: the work item may be late.
 */
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "config.h"
#include "cpu.h"
#include "libn3t/judge.h"
#include "libn3t/slices.h"
#include "run.h"
#include "withdraw.h"

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
static void judge_run(struct n3t_cpu *cpu, struct n3t_run *run, bool rest)
{
	struct n3t_judge *judge = &cpu->withdrawn.judge;
	u64 next_ns = window_ns(run);

	lockdep_assert_held(&cpu->withdrawn.lock);

	if (!n3t_judge_take(run->judging, run->judged, run->plan, &run->ring, rest)) {
		/* A new run begins its first window. */
		if (run->judge_ns)
			next_ns /= 8;
	} else if (is_current(&cpu->withdrawn, run->config->settings.enables)) {
		run->judging->corrected = READ_ONCE(cpu->overcounts);
		n3t_judge_window(judge, run->plan, run->judging, !run->fallback, ktime_get_ns());
	}
	WRITE_ONCE(run->judge_ns, ktime_get_mono_fast_ns() + next_ns);
}

static void report_slots(const struct n3t_cpu *cpu, bool other_fits)
{
	if (!other_fits)
		pr_warn_once("CPU %u: OP_SPEC and STALL_SLOT do not add up to all slots, do not trust Topdown_L1\n",
			     cpu->cpu);
	else if (READ_ONCE(cpu->overcounts))
		pr_warn_once("CPU %u: OP_SPEC and STALL_SLOT would add up to all slots without subtracting CPU_CYCLES from STALL_SLOT and STALL_SLOT_FRONTEND, do not trust Topdown_L1\n",
			     cpu->cpu);
	else
		pr_warn_once("CPU %u: OP_SPEC and STALL_SLOT would add up to all slots if CPU_CYCLES were subtracted from STALL_SLOT and STALL_SLOT_FRONTEND (erratum), do not trust Topdown_L1\n",
			     cpu->cpu);
}

/* Judges the window of a CPU if it is due; may sleep, needs no lock. */
void n3t_withdraw_judge(struct n3t_cpu *cpu)
{
	const struct n3t_slots_check *slots = &cpu->withdrawn.judge.marks.slots;
	struct n3t_run *run = n3t_run_get(&cpu->run);
	bool violated, other_fits;

	if (run && n3t_run_is_due(run, ktime_get_mono_fast_ns())) {
		raw_spin_lock(&cpu->withdrawn.lock);
		/* Another reader may have judged it meanwhile. */
		if (n3t_run_is_due(run, ktime_get_mono_fast_ns()))
			judge_run(cpu, run, false);
		violated = n3t_slots_identity(slots) == N3T_SLOTS_VIOLATED;
		other_fits = n3t_slots_other_fits(slots);
		raw_spin_unlock(&cpu->withdrawn.lock);
		if (violated)
			report_slots(cpu, other_fits);
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
	raw_spin_lock(&cpu->withdrawn.lock);
	judge_run(cpu, run, true);
	raw_spin_unlock(&cpu->withdrawn.lock);
}

/* Withdraws all metrics of a CPU sampled under @enables; may sleep, needs no lock. */
void n3t_withdraw_all(struct n3t_cpu *cpu, unsigned int enables)
{
	struct n3t_withdrawn *withdrawn = &cpu->withdrawn;

	raw_spin_lock(&withdrawn->lock);
	if (is_current(withdrawn, enables))
		n3t_judge_withdraw_all(&withdrawn->judge, ktime_get_ns());
	else
		withdrawn->judge.marks.withdrawals += N3T_NR_METRICS;
	raw_spin_unlock(&withdrawn->lock);
}

/* The metrics of a CPU that are withdrawn; may sleep, needs no lock. */
void n3t_withdraw_marks(struct n3t_cpu *cpu, struct n3t_marks *marks)
{
	struct n3t_withdrawn *withdrawn = &cpu->withdrawn;
	struct n3t_config *config = n3t_config_get();

	raw_spin_lock(&withdrawn->lock);
	is_current(withdrawn, config->settings.enables);
	n3t_judge_review(&withdrawn->judge, ktime_get_ns());
	*marks = withdrawn->judge.marks;
	raw_spin_unlock(&withdrawn->lock);
	n3t_config_put(config);
}

/* Did the slots of a CPU sampled under @enables contradict each other in its last two windows? */
bool n3t_withdraw_slots_off(const struct n3t_cpu *cpu, unsigned int enables)
{
	return READ_ONCE(cpu->withdrawn.enables) == enables &&
	       n3t_slots_are_off(&cpu->withdrawn.judge.marks.slots);
}
