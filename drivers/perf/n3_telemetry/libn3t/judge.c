// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Judging a CPU window by window, and withdrawing metrics whose totals contain wrong counts.
 *
 * Readers of totals see no verdict, so a fault has to be found even if nothing reads, and
 * whenever it begins: sums since the start of a run hide a fault that begins late. Windows
 * follow each other without gap or overlap, so two bad ones in a row have different slices.
 */
#include <linux/bitmap.h>
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <kunit/visibility.h>

#include "libn3t/formula.h"
#include "libn3t/judge.h"
#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/verdict.h"

#define BAD_WINDOWS	2	/* in a row, for a withdrawal or a verdict */
#define SLOTS_WINDOWS	10	/* decide whether the identity of slots holds */
#define SLOTS_REST	20000	/* millionths: the other choice fits, other causes do not */

/* A set all of whose slices were dropped does not keep the others from being judged. */
static bool ran(const struct n3t_set_sum *total, const struct n3t_set_sum *judged)
{
	return total->cycles - judged->cycles >= N3T_IDLE_CYCLES ||
	       (total->slices == judged->slices && total->dropped != judged->dropped);
}

/* A set by itself may count nothing for good reasons. */
static bool all_sets_ran(struct n3t_window *total, struct n3t_window *judged)
{
	unsigned int i;

	for (i = 0; i < total->nr_sets; i++)
		if (!ran(n3t_window_sum(total, i), n3t_window_sum(judged, i)))
			return false;
	return true;
}

/* Makes of a total the part that has not been judged, and adds it to @judged. */
static void split_sum(struct n3t_set_sum *total, struct n3t_set_sum *judged, unsigned int nr)
{
	u64 *part = total->count, *earlier = judged->count;
	unsigned int i;

	total->slices -= judged->slices;
	total->dropped -= judged->dropped;
	total->cycles -= judged->cycles;
	total->clipped -= judged->clipped;
	judged->slices += total->slices;
	judged->dropped += total->dropped;
	judged->cycles += total->cycles;
	judged->clipped += total->clipped;
	for (i = 0; i < nr; i++) {
		u64 count = part[i];

		part[i] = count - earlier[i];
		earlier[i] = count;
	}
}

/**
 * n3t_judge_take() - take the slices of a run that have not been judged
 * @window: filled with their numbers, cycles and counts; n3t_window_bytes() of memory
 * @judged: sums of the slices of earlier windows, from n3t_window_init(); these are added
 * @plan: plan of the run
 * @ring: the slices
 * @rest: no slices follow: @window.partial is set if a set has too few cycles
 *
 * A CPU with little to do gets longer windows: each set needs cycles.
 *
 * Context: Any CPU, any context; one caller at a time for @judged.
 * Return: true; false if a set has too few cycles unless @rest, with @judged unchanged.
 */
bool n3t_judge_take(struct n3t_window *window, struct n3t_window *judged,
		    const struct n3t_plan *plan, const struct n3t_ring *ring, bool rest)
{
	unsigned int i;

	n3t_window_of_run(window, ring);
	window->partial = !all_sets_ran(window, judged);
	if (window->partial && !rest)
		return false;
	window->cycles = 0;
	for (i = 0; i < window->nr_sets; i++) {
		split_sum(n3t_window_sum(window, i), n3t_window_sum(judged, i), plan->set[i].nr);
		window->cycles += n3t_window_sum(window, i)->cycles;
	}
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_judge_take);

/**
 * n3t_slots_compare() - add a window to the comparison of slots
 * @check: the comparison
 * @error: n3t_window_slots_error() of the window
 * @other: the same with the other choice of n3t_window.corrected
 * @slots: slots per cycle
 *
 * Return: true if the window is off by more than N3T_SLOTS_OFF().
 */
bool n3t_slots_compare(struct n3t_slots_check *check, u32 error, u32 other, unsigned int slots)
{
	bool off = error > N3T_SLOTS_OFF(slots);

	check->largest = max(check->largest, error);
	WRITE_ONCE(check->in_row, off ? check->in_row + 1 : 0);
	if (check->windows == SLOTS_WINDOWS)
		return off;
	check->windows++;
	check->off += off;
	check->other_fits += off && other <= SLOTS_REST;
	check->other = max(check->other, other);
	return off;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_slots_compare);

/* If the metric's set has too few cycles, the last window in which it had enough counts. */
static bool is_judged(enum n3t_metric metric, const struct n3t_plan *plan,
		      struct n3t_window *window)
{
	int set = plan->set_of[metric];

	return set == N3T_NO_SET || n3t_window_sum(window, set)->cycles >= N3T_IDLE_CYCLES;
}

static void withdraw(struct n3t_marks *marks, unsigned int metric, u64 now_ns)
{
	if (test_bit(metric, marks->withdrawn))
		return;
	__set_bit(metric, marks->withdrawn);
	marks->withdrawals++;
	marks->last_ns = now_ns;
}

static void judge_metric(struct n3t_judge *judge, unsigned int metric, bool bad, u64 now_ns)
{
	if (!bad) {
		__clear_bit(metric, judge->bad);
		return;
	}
	judge->bad_ns[metric] = now_ns;
	if (test_bit(metric, judge->bad))
		withdraw(&judge->marks, metric, now_ns);
	__set_bit(metric, judge->bad);
}

/**
 * n3t_judge_window() - judge a window, and withdraw metrics
 * @judge: judge of the CPU
 * @plan: plan of the slices
 * @window: the window from n3t_judge_take()
 * @together: all events of a slice counted over the same time
 * @now_ns: now
 *
 * Withdraws metrics that were implausible or inconsistent in this window and the one before.
 *
 * Context: Any; one caller at a time for @judge.
 */
void n3t_judge_window(struct n3t_judge *judge, const struct n3t_plan *plan,
		      struct n3t_window *window, bool together, u64 now_ns)
{
	DECLARE_BITMAP(faults, N3T_NR_METRICS);
	DECLARE_BITMAP(either, N3T_NR_METRICS);
	unsigned int metric;
	s64 error;

	n3t_judge_review(judge, now_ns);
	n3t_window_judge(window, plan);
	error = together ? n3t_window_slots_error(window, plan, false) : -1;
	window->slots_off = error >= 0 &&
		n3t_slots_compare(&judge->marks.slots, error,
				  n3t_window_slots_error(window, plan, true),
				  n3t_slots_per_cycle());
	if (error < 0 && !window->partial)
		WRITE_ONCE(judge->marks.slots.in_row, 0);
	n3t_window_faults(window, plan, faults);
	bitmap_or(either, faults, judge->bad, N3T_NR_METRICS);
	for_each_set_bit(metric, either, N3T_NR_METRICS)
		if (is_judged(metric, plan, window))
			judge_metric(judge, metric, test_bit(metric, faults), now_ns);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_judge_window);

/* Withdraws all metrics; one caller at a time for @judge. */
void n3t_judge_withdraw_all(struct n3t_judge *judge, u64 now_ns)
{
	unsigned int metric;

	n3t_judge_review(judge, now_ns);
	for (metric = 0; metric < N3T_NR_METRICS; metric++) {
		judge->bad_ns[metric] = now_ns;
		withdraw(&judge->marks, metric, now_ns);
	}
}
EXPORT_SYMBOL_IF_KUNIT(n3t_judge_withdraw_all);

/* Returns the metrics whose fault has ended; one caller at a time for @judge. */
void n3t_judge_review(struct n3t_judge *judge, u64 now_ns)
{
	unsigned long *withdrawn = judge->marks.withdrawn;
	unsigned int metric;

	for_each_set_bit(metric, withdrawn, N3T_NR_METRICS)
		if (now_ns >= judge->bad_ns[metric] + N3T_WITHDRAWN_NS)
			__clear_bit(metric, withdrawn);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_judge_review);

/* Starts anew, except for the number of withdrawals; one caller at a time for @judge. */
void n3t_judge_reset(struct n3t_judge *judge)
{
	u64 withdrawals = judge->marks.withdrawals;

	memset(judge, 0, sizeof(*judge));
	judge->marks.withdrawals = withdrawals;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_judge_reset);

/* Were OP_SPEC + STALL_SLOT all slots in the first windows in which they were compared? */
enum n3t_slots_identity n3t_slots_identity(const struct n3t_slots_check *slots)
{
	if (slots->windows < SLOTS_WINDOWS)
		return N3T_SLOTS_UNDECIDED;
	return slots->off == SLOTS_WINDOWS ? N3T_SLOTS_VIOLATED : N3T_SLOTS_HELD;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_slots_identity);

/* Were they all slots only with the other choice of n3t_window.corrected? */
bool n3t_slots_other_fits(const struct n3t_slots_check *slots)
{
	return slots->other_fits == SLOTS_WINDOWS;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_slots_other_fits);

/* Were the last two windows off by more than N3T_SLOTS_OFF()? Reads a single word. */
bool n3t_slots_are_off(const struct n3t_slots_check *slots)
{
	return READ_ONCE(slots->in_row) >= BAD_WINDOWS;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_slots_are_off);
