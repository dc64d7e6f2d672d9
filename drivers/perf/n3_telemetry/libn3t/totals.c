// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Totals: counts of a CPU since the module was loaded, over all its runs.
 *
 * The rings hold sums since the start of a run already, so totals cost the sampler
 * nothing: those of the current run are added when they are read, and once more, for the
 * last time, when the run ends.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <kunit/visibility.h>

#include "libn3t/formula.h"
#include "libn3t/totals.h"
#include "libn3t/verdict.h"

#define CYCLES	N3T_FORMULA_CYCLES	/* CPU_CYCLES in a mask of a set's counts, too */

static_assert(N3T_MAX_COUNTERS <= 31);

/* Slices of a rotation, divided by those of the set: an integer for all plans. */
u64 n3t_set_weight(const struct n3t_plan *plan, unsigned int set)
{
	unsigned int rotation = n3t_plan_rotation(plan);

	return (int)set == plan->l1_set && rotation > 1 ? 2 : rotation;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_set_weight);

/* Counts of a set that add up to an event, as a mask; 0 if it is not counted. */
static u32 counts_of(const struct n3t_plan *plan, const struct n3t_set *set, u16 code)
{
	if (code == N3T_CODE_CPU_CYCLES)
		return n3t_plan_distrusts(plan, code) ? 0 : CYCLES;
	return n3t_counts_summed(set->code, set->nr, code);
}

static u64 sum_of(const struct n3t_set_sum *total, u32 counts)
{
	u64 sum = counts & CYCLES ? total->cycles : 0;

	for (counts &= ~CYCLES; counts; counts &= counts - 1)
		sum += total->count[__ffs64(counts)];
	return sum;
}

/* keys, for the module and programs */

const struct n3t_slots_info n3t_slots_info[N3T_NR_SLOTS] = {
	[N3T_SLOTS] = { "slots_total", N3T_CODE_CPU_CYCLES, true },
	[N3T_SLOTS_STALL] = { "stall_slots_total", N3T_CODE_STALL_SLOT },
	[N3T_SLOTS_FRONTEND_STALL] = { "frontend_stall_slots_total",
				       N3T_CODE_STALL_SLOT_FRONTEND },
	[N3T_SLOTS_BACKEND_STALL] = { "backend_stall_slots_total", N3T_CODE_STALL_SLOT_BACKEND },
	[N3T_SLOTS_FRONTEND_FLUSH] = { "frontend_flush_slots_total",
				       N3T_CODE_STALL_FRONTEND_FLUSH, true },
	[N3T_SLOTS_RETIRED] = { "ops_retired_total", N3T_CODE_OP_RETIRED },
	[N3T_SLOTS_SPECULATED] = { "ops_speculated_total", N3T_CODE_OP_SPEC },
};
EXPORT_SYMBOL_IF_KUNIT(n3t_slots_info);

const char * const n3t_part_suffixes[N3T_NR_PARTS] = {
	[N3T_NUMERATOR] = "_numerator_total",
	[N3T_DENOMINATOR] = "_denominator_total",
	[N3T_SUBTRAHEND] = "_subtrahend_total",
};

const char * const n3t_time_keys[N3T_NR_TIME_KEYS] = {
	[N3T_TIME_SAMPLED] = "sampled_ns",
	[N3T_TIME_DROPPED] = "dropped_ns",
	[N3T_TIME_YIELDED] = "yielded_ns",
	[N3T_TIME_OFF] = "off_ns",
	[N3T_TIME_START] = "start_ns",
	[N3T_TIME_START_UNIX] = "start_unix_ns",
	[N3T_TIME_SAMPLER] = "sampler_ns",
	[N3T_TIME_CYCLES] = "cycles_total",
};

/* Topdown_L1 */

/* The share of stalls needs the slots per cycle, which some cores do not report. */
static bool knows_slots(void)
{
	return n3t_metric_is_available(N3T_METRIC_backend_bound);
}

/* Counts of a set for Topdown_L1 that add up to a total, as a mask; 0 if it is not counted. */
static u32 counts_of_slots(const struct n3t_plan *plan, enum n3t_slots slots)
{
	if (n3t_slots_info[slots].in_cycles && !knows_slots())
		return 0;
	return counts_of(plan, &plan->set[plan->l1_set], n3t_slots_info[slots].code);
}

/* Number of leading counts of a slice that include all those of Topdown_L1's totals. */
unsigned int n3t_slots_counts(const struct n3t_plan *plan)
{
	unsigned int i;
	u32 counts = 0;

	for (i = 0; i < N3T_NR_SLOTS; i++)
		counts |= counts_of_slots(plan, i);
	return fls(counts & ~CYCLES);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_slots_counts);

/**
 * n3t_slots_add() - add counts of Topdown_L1
 * @slots: N3T_NR_SLOTS totals
 * @plan: a plan with a set for Topdown_L1
 * @sum: sums over slices of this set, of which @cycles and n3t_slots_counts() are used
 *
 * Return: a mask over enum n3t_slots of those that are counted.
 */
unsigned int n3t_slots_add(u64 *slots, const struct n3t_plan *plan, const struct n3t_set_sum *sum)
{
	u64 weight = n3t_set_weight(plan, plan->l1_set), per_cycle;
	unsigned int i, has = 0;
	u32 counts;

	for (i = 0; i < N3T_NR_SLOTS; i++) {
		counts = counts_of_slots(plan, i);
		if (!counts)
			continue;
		per_cycle = n3t_slots_info[i].in_cycles ? n3t_slots_per_cycle() : 1;
		slots[i] += weight * per_cycle * sum_of(sum, counts);
		has |= 1u << i;
	}
	return has;
}

/* Adds the counts of Topdown_L1 in a run, unless it is split; returns a mask of them. */
unsigned int n3t_totals_add_slots(u64 *slots, const struct n3t_plan *plan,
				  const struct n3t_ring *ring)
{
	struct n3t_set_sum total;

	if (plan->l1_set == N3T_NO_SET || !n3t_ring_total(ring, plan->l1_set, &total))
		return 0;
	return n3t_slots_add(slots, plan, &total);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_totals_add_slots);

/* metrics */

static u64 part_of(const struct n3t_formula *formula, u32 events, const struct n3t_plan *plan,
		   const struct n3t_set *set, const struct n3t_set_sum *total)
{
	u64 sum = events & CYCLES ? total->cycles : 0;
	unsigned int i;

	for (i = 0; i < formula->nr_events; i++)
		if (events & 1u << i)
			sum += sum_of(total, counts_of(plan, set, formula->code[i]));
	return sum;
}

static unsigned int add_metric(u64 *parts, enum n3t_metric metric, const struct n3t_plan *plan,
			       const struct n3t_set_sum *total)
{
	const struct n3t_formula *formula = n3t_metric_formula(metric);
	unsigned int set = plan->set_of[metric], i, has = 0;
	u64 weight = n3t_set_weight(plan, set);

	if (!n3t_formula_has_parts(formula) || n3t_lacks_reads(formula, &plan->set[set], total))
		return 0;
	for (i = 0; i < N3T_NR_PARTS; i++) {
		if (!formula->part[i])
			continue;
		parts[i] += weight * part_of(formula, formula->part[i], plan, &plan->set[set],
					     total);
		has |= 1u << i;
	}
	return has;
}

/* Adds a metric's counts in a run, if it has a set; returns a mask over enum n3t_part. */
unsigned int n3t_totals_add_metric(u64 *parts, enum n3t_metric metric,
				   const struct n3t_plan *plan, const struct n3t_ring *ring)
{
	struct n3t_set_sum total;

	if (plan->set_of[metric] == N3T_NO_SET ||
	    !n3t_ring_total(ring, plan->set_of[metric], &total))
		return 0;
	return add_metric(parts, metric, plan, &total);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_totals_add_metric);

/* Adds all counts of a run; one caller at a time for @totals. */
void n3t_totals_add(struct n3t_totals *totals, const struct n3t_plan *plan,
		    const struct n3t_ring *ring)
{
	struct n3t_set_sum total;
	unsigned int set, metric, part, has;

	totals->has_slots |= n3t_totals_add_slots(totals->slots, plan, ring);
	for (set = 0; set < plan->nr_sets; set++) {
		n3t_ring_total(ring, set, &total);
		for (metric = 0; metric < N3T_NR_METRICS; metric++) {
			if (plan->set_of[metric] != (int)set)
				continue;
			has = add_metric(totals->part[metric], metric, plan, &total);
			for (part = 0; part < N3T_NR_PARTS; part++)
				if (has & 1u << part)
					__set_bit(metric * N3T_NR_PARTS + part, totals->has_part);
		}
	}
}
EXPORT_SYMBOL_IF_KUNIT(n3t_totals_add);

/* Adds a CPU's total to the sum of several, which does not overflow. */
void n3t_total_add(struct n3t_wide *sum, u64 total)
{
	struct n3t_wide wide;

	wide_set(&wide, total);
	wide_add(sum, &wide);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_total_add);

/* A sum of totals as decimal text; N3T_RATIO_SIZE is enough for any number of CPUs. */
int n3t_total_print(char *buf, size_t size, const struct n3t_wide *sum)
{
	struct n3t_ratio ratio = { .num = *sum };

	wide_set(&ratio.den, 1);
	return n3t_ratio_print(buf, size, &ratio, 0);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_total_print);

/* time */

static u64 ns_between(u64 from_ns, u64 to_ns)
{
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* Time outside kept slices is dropped; until @until_ns, or else the end of the newest. */
static void add_run(struct n3t_times *times, const struct n3t_plan *plan,
		    const struct n3t_ring_span *span, u64 until_ns)
{
	u64 elapsed_ns = ns_between(times->since_ns, until_ns);

	times->ns[N3T_TIME_SAMPLED] += span->time_ns;
	times->ns[N3T_TIME_DROPPED] += ns_between(span->time_ns, elapsed_ns);
	if (!n3t_plan_distrusts(plan, N3T_CODE_CPU_CYCLES)) {
		times->cycles += span->cycles;
		times->has_cycles = true;
	}
}

/* A CPU's time is used in another way from now on; @plan and @ring are those of a run that ends. */
void n3t_times_change(struct n3t_times *times, const struct n3t_plan *plan,
		      const struct n3t_ring *ring, enum n3t_time use, u64 now_ns)
{
	struct n3t_ring_span span;

	now_ns = max(now_ns, times->since_ns);
	if (ring) {
		n3t_ring_span(ring, &span);
		now_ns = max(now_ns, span.end_ns);
		add_run(times, plan, &span, now_ns);
	} else {
		times->ns[times->use] += now_ns - times->since_ns;
	}
	times->use = use;
	times->since_ns = now_ns;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_times_change);

/**
 * n3t_times_until() - extend a copy of a CPU's times to the present
 * @times: the copy
 * @plan: plan of the current run, or NULL if there is none
 * @ring: its slices, or NULL
 * @now_ns: now
 *
 * The slice in progress is not included.
 *
 * Context: Any CPU, any context; needs no lock.
 */
void n3t_times_until(struct n3t_times *times, const struct n3t_plan *plan,
		     const struct n3t_ring *ring, u64 now_ns)
{
	struct n3t_ring_span span;

	if (!ring) {
		times->ns[times->use] += ns_between(times->since_ns, now_ns);
		return;
	}
	n3t_ring_span(ring, &span);
	add_run(times, plan, &span, span.end_ns);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_times_until);
