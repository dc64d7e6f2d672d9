// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Verdicts: the word that replaces a metric's value, if there is a reason for one.
 *
 * A virtual PMU may accept every event and count only a few of them. Its zeros are
 * indistinguishable from real ones, so events that always advance on a running
 * CPU are checked: see n3t_window_judge().
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <kunit/visibility.h>

#include "libn3t/formula.h"
#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/spec.h"
#include "libn3t/verdict.h"

#define MILLION		1000000
#define SLOTS_CYCLES	10000000	/* for a comparison of slots */

/*
 * Does an event advance in any slice of a running CPU? The sampler itself fetches,
 * translates, executes and retires instructions, including calls and returns.
 */
static bool must_advance(u16 code)
{
	switch (code) {
	case N3T_CODE_INST_RETIRED:
	case N3T_CODE_INST_SPEC:
	case N3T_CODE_OP_RETIRED:
	case N3T_CODE_OP_SPEC:
	case N3T_CODE_L1I_CACHE:
	case N3T_CODE_L1I_TLB:
	case N3T_CODE_BR_RETIRED:
		return true;
	default:
		return false;
	}
}

/*
 * INST_RETIRED is the one event that emulators do count, so its success
 * does not imply that other events count.
 */
static enum n3t_trust check_advancing(u16 code, u64 count)
{
	if (!must_advance(code))
		return N3T_TRUST_UNKNOWN;
	if (!count)
		return N3T_TRUST_PRETENDS;
	return code == N3T_CODE_INST_RETIRED ? N3T_TRUST_UNKNOWN : N3T_TRUST_COUNTS;
}

/* One failing event outweighs all others. */
static enum n3t_trust check_set(const struct n3t_set *set, const u64 *count, enum n3t_trust trust)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (!count[i] || trust == N3T_TRUST_UNKNOWN)
			trust = max(trust, check_advancing(set->code[i], count[i]));
	return trust;
}

/**
 * n3t_window_judge() - check that the PMU counts the events it accepts
 * @window: sums of the CPU's slices; @window.trust is set
 * @plan: the plan under which the slices were taken
 *
 * Checks events that always advance in every set with enough cycles.
 */
void n3t_window_judge(struct n3t_window *window, const struct n3t_plan *plan)
{
	enum n3t_trust trust = N3T_TRUST_UNKNOWN;
	unsigned int i;

	n3t_window_complete(window);
	for (i = 0; i < window->nr_sets; i++)
		if (n3t_window_sum(window, i)->cycles >= N3T_IDLE_CYCLES)
			trust = check_set(&plan->set[i], n3t_window_sum(window, i)->count, trust);
	window->judged = true;
	window->trust = trust;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_window_judge);

/**
 * n3t_window_trust() - result of n3t_window_judge()
 * @window: sums of the CPU's slices; judged on first use
 * @plan: the plan under which the slices were taken
 *
 * Needed only for counts of zero, so most windows need not sum up all sets.
 *
 * Return: whether the PMU counts the events it accepts.
 */
enum n3t_trust n3t_window_trust(struct n3t_window *window, const struct n3t_plan *plan)
{
	if (window->ring && !window->judged)
		n3t_window_judge(window, plan);
	return window->trust;
}

/* Did only the event advance that every emulator counts? */
static bool all_zero(const struct n3t_set *set, const struct n3t_set_sum *sum)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (sum->count[i] && set->code[i] != N3T_CODE_INST_RETIRED)
			return false;
	return true;
}

/*
 * Could a zero among the counts be an event that was not counted? A value without
 * zeros is always accepted: the PMU counted all its events.
 */
static bool doubts_zero(const struct n3t_set *set, const struct n3t_set_sum *sum,
			struct n3t_window *window, const struct n3t_plan *plan)
{
	switch (n3t_window_trust(window, plan)) {
	case N3T_TRUST_COUNTS:
		return false;
	case N3T_TRUST_PRETENDS:
		return true;
	default:
		return !window->partial && sum->cycles >= N3T_IDLE_CYCLES && all_zero(set, sum);
	}
}

/* STALL_SLOT and the two events that add up to it */
static bool is_stall_slot(u16 code)
{
	return code == N3T_CODE_STALL_SLOT || code == N3T_CODE_STALL_SLOT_FRONTEND ||
	       code == N3T_CODE_STALL_SLOT_BACKEND;
}

static const u64 *count_of(const struct n3t_set *set, const struct n3t_set_sum *sum, u16 code)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (set->code[i] == code)
			return &sum->count[i];
	return NULL;
}

/* Does STALL_SLOT differ from the sum of its parts by more than 1 % of all slots? */
static bool contradicts(const struct n3t_set *set, const struct n3t_set_sum *sum)
{
	unsigned __int128 parts, off;
	const u64 *frontend = count_of(set, sum, N3T_CODE_STALL_SLOT_FRONTEND);
	const u64 *backend = count_of(set, sum, N3T_CODE_STALL_SLOT_BACKEND);
	const u64 *all = count_of(set, sum, N3T_CODE_STALL_SLOT);

	if (!all || !frontend || !backend)
		return false;
	parts = (unsigned __int128)*frontend + *backend;
	off = parts > *all ? parts - *all : *all - parts;
	return off * 100 > (unsigned __int128)sum->cycles * n3t_slots_per_cycle();
}

/* Do counts of stalled slots contradict each other, or those of OP_SPEC? */
static bool stalls_are_wrong(const struct n3t_window *window, const struct n3t_set *set,
			     const struct n3t_set_sum *sum)
{
	return window->slots_off || (set->slots && contradicts(set, sum));
}

static bool uses_stall_slot(const struct n3t_formula *formula)
{
	unsigned int i;

	for (i = 0; i < formula->nr_events; i++)
		if (is_stall_slot(formula->code[i]))
			return true;
	return false;
}

/* Count of one event, which may be the sum of several. */
static enum n3t_verdict add_up(const struct n3t_set *set, const struct n3t_set_sum *sum, u16 code,
			       u64 *count)
{
	u32 summed = n3t_counts_summed(set->code, set->nr, code);
	const u64 *from = sum->count;

	if (!summed)
		return N3T_UNPLACED;
	for (*count = 0; summed; from++, summed >>= 1)
		if (summed & 1 && check_add_overflow(*count, *from, count))
			return N3T_IMPLAUSIBLE;
	return N3T_VALUE;
}

/* |part - whole| in millionths of the whole */
static u64 millionths_off(unsigned __int128 part, unsigned __int128 whole)
{
	unsigned __int128 off = part > whole ? part - whole : whole - part;

	for (; (off | whole) > U64_MAX / MILLION; off >>= 1)
		whole >>= 1;
	return div64_u64((u64)off * MILLION, whole);
}

/* -1 if the set does not count the events, or nothing was counted. */
static s64 slots_error(const struct n3t_window *window, const struct n3t_set *set,
		       const struct n3t_set_sum *sum, bool other)
{
	unsigned __int128 slots = (unsigned __int128)sum->cycles * n3t_slots_per_cycle();
	u64 operations, stalls, less = sum->clipped, more = 0;
	unsigned __int128 counted;

	if (!set->slots || sum->cycles < SLOTS_CYCLES ||
	    add_up(set, sum, N3T_CODE_OP_SPEC, &operations) != N3T_VALUE ||
	    add_up(set, sum, N3T_CODE_STALL_SLOT, &stalls) != N3T_VALUE || !operations)
		return -1;
	if (other && window->corrected)
		more = sum->cycles;
	else if (other)
		less = sum->cycles;
	counted = (unsigned __int128)operations + stalls + more;
	counted = counted > less ? counted - less : 0;
	return min_t(u64, U32_MAX, millionths_off(counted, slots));
}

/**
 * n3t_window_slots_error() - compare OP_SPEC + STALL_SLOT with all slots
 * @window: complete sums of the CPU's slices, judged
 * @plan: the plan under which the slices were taken
 * @other: as if n3t_window.corrected were negated
 *
 * Counts of a wrong correction are taken as if they could be negative.
 *
 * A slot either issues an operation or stalls (specification, Topdown_L1): OP_SPEC =
 * slots * CPU_CYCLES - STALL_SLOT. Stall events that all count too much contradict nothing
 * else.
 *
 * Return: the largest deviation of a set, in millionths of all slots; -1 if no set with
 * enough cycles counts these events.
 */
s64 n3t_window_slots_error(struct n3t_window *window, const struct n3t_plan *plan, bool other)
{
	s64 largest = -1;
	unsigned int i;

	if (window->trust == N3T_TRUST_PRETENDS || n3t_plan_distrusts(plan, N3T_CODE_CPU_CYCLES) ||
	    !n3t_metric_is_available(N3T_METRIC_backend_bound))
		return -1;
	for (i = 0; i < window->nr_sets; i++)
		largest = max(largest, slots_error(window, &plan->set[i],
						   n3t_window_sum(window, i), other));
	return largest;
}

/*
 * Counts of a formula's events in its order. @any_zero is set if one of them other than
 * CPU_CYCLES is 0.
 */
static enum n3t_verdict take_counts(const struct n3t_formula *formula, const struct n3t_set *set,
				    const struct n3t_set_sum *sum, struct n3t_counts *counts,
				    bool *any_zero)
{
	unsigned int i, nr = formula->nr_events;
	const u16 *code = formula->code;
	enum n3t_verdict verdict;

	*any_zero = false;
	counts->cycles = sum->cycles;
	counts->nr = nr;
	for (i = 0; i < nr; i++) {
		verdict = add_up(set, sum, code[i], &counts->count[i]);
		if (verdict != N3T_VALUE)
			return verdict;
		counts->code[i] = code[i];
		*any_zero |= !counts->count[i];
	}
	return N3T_VALUE;
}

/* Events that count only while SPE samples. */
static bool is_of_sampling(u16 code)
{
	return (code >= N3T_CODE_SAMPLE_POP && code <= N3T_CODE_SAMPLE_COLLISION) ||
	       (code >= N3T_CODE_SAMPLE_FEED_BR && code <= N3T_CODE_SAMPLE_FEED_LAT);
}

/* Was nothing sampled in the window? Metrics of samples have no value then. */
static bool is_unsampled(const struct n3t_counts *counts)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < counts->nr; i++) {
		if (!is_of_sampling(counts->code[i]))
			continue;
		if (counts->count[i])
			return false;
		any = true;
	}
	return any;
}

/* The state of the CPU as a verdict; N3T_VALUE if it does not decide. */
static enum n3t_verdict judge_cpu(enum n3t_cpu_state state)
{
	switch (state) {
	case N3T_CPU_OFFLINE:
		return N3T_OFFLINE;
	case N3T_CPU_DISABLED:
		return N3T_DISABLED;
	case N3T_CPU_UNPLACED:
		return N3T_UNPLACED;
	case N3T_CPU_UNSUPPORTED:
		return N3T_UNSUPPORTED;
	default:
		return N3T_VALUE;
	}
}

/* Sums up sets only until the threshold is reached. */
static bool is_idle(struct n3t_window *window)
{
	unsigned int i;
	u64 cycles = 0;

	if (!window->ring)
		return window->cycles < N3T_IDLE_CYCLES;
	for (i = 0; i < window->nr_sets; i++) {
		cycles += n3t_window_set(window, i)->cycles;
		if (cycles >= N3T_IDLE_CYCLES)
			return false;
	}
	return true;
}

/* Verdict for too few cycles: the CPU was idle, or slices did not end. */
static enum n3t_verdict without_cycles(const struct n3t_window *window)
{
	return window->starved ? N3T_STALE : N3T_IDLE;
}

/* N3T_VALUE if any metric of a CPU can have a value, otherwise the reason why none can. */
enum n3t_verdict n3t_cpu_verdict(enum n3t_cpu_state state, struct n3t_window *window)
{
	enum n3t_verdict verdict = judge_cpu(state);

	if (verdict != N3T_VALUE)
		return verdict;
	if (state == N3T_CPU_CONTENDED)
		return N3T_CONTENDED;
	return is_idle(window) ? without_cycles(window) : N3T_VALUE;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_cpu_verdict);

/* As n3t_cpu_verdict(), for the slices of one set. */
static enum n3t_verdict judge_slices(struct n3t_window *window, const struct n3t_set_sum *sum)
{
	if (sum->dropped && !sum->slices)
		return N3T_CONTENDED;
	if ((!window->ring || sum->cycles < N3T_IDLE_CYCLES) && is_idle(window))
		return without_cycles(window);
	if (!sum->slices)
		return N3T_STALE;
	return N3T_VALUE;
}

/**
 * n3t_custom_verdict() - can the user's own set be shown
 * @state: the state of the CPU
 * @plan: the plan in force there
 * @window: sums of the CPU's slices
 *
 * Return: N3T_VALUE, or the first verdict that applies; N3T_DISABLED also if
 * no set was requested
 */
enum n3t_verdict n3t_custom_verdict(enum n3t_cpu_state state, const struct n3t_plan *plan,
				    struct n3t_window *window)
{
	enum n3t_verdict verdict = judge_cpu(state);

	if (verdict <= N3T_DISABLED)
		return verdict;
	if (plan && !plan->has_custom)
		return N3T_DISABLED;
	if (verdict == N3T_UNPLACED)
		return verdict;
	if (plan->custom_set == N3T_NO_SET)
		return plan->custom_unsupported ? N3T_UNSUPPORTED : N3T_UNPLACED;
	if (verdict != N3T_VALUE)
		return verdict;
	if (state == N3T_CPU_CONTENDED)
		return N3T_CONTENDED;
	return judge_slices(window, n3t_window_set(window, plan->custom_set));
}
EXPORT_SYMBOL_IF_KUNIT(n3t_custom_verdict);

/* Can an event of the user's own set be shown, for which n3t_custom_verdict() is N3T_VALUE? */
enum n3t_verdict n3t_custom_event_verdict(u16 code, const struct n3t_plan *plan,
					  struct n3t_window *window)
{
	const struct n3t_set_sum *sum = n3t_window_set(window, plan->custom_set);
	const struct n3t_set *set = &plan->set[plan->custom_set];
	const u64 *count;

	if (n3t_plan_distrusts(plan, code))
		return N3T_UNSUPPORTED;
	count = count_of(set, sum, code);
	if (count && !*count && n3t_window_trust(window, plan) == N3T_TRUST_PRETENDS)
		return N3T_IMPLAUSIBLE;
	return is_stall_slot(code) && stalls_are_wrong(window, set, sum) ? N3T_INCONSISTENT :
									   N3T_VALUE;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_custom_event_verdict);

/* Does a set hold the metric? */
static enum n3t_verdict judge_place(enum n3t_metric metric, const struct n3t_plan *plan)
{
	if (plan->set_of[metric] != N3T_NO_SET)
		return N3T_VALUE;
	if (n3t_metric_formula(metric)->nr_events > plan->budget)
		return N3T_UNPLACED;
	return test_bit(metric, plan->unsupported) ? N3T_UNSUPPORTED : N3T_UNPLACED;
}

/* Verdict for counts that include a zero. */
static enum n3t_verdict judge_zero(const struct n3t_set *set, const struct n3t_set_sum *sum,
				   const struct n3t_plan *plan, struct n3t_window *window,
				   const struct n3t_counts *counts)
{
	if (is_unsampled(counts) && n3t_window_trust(window, plan) != N3T_TRUST_PRETENDS)
		return N3T_IDLE;
	return doubts_zero(set, sum, window, plan) ? N3T_IMPLAUSIBLE : N3T_VALUE;
}

/**
 * n3t_lacks_reads() - does a metric need a last-level cache that the machine does not have
 * @formula: formula of the metric
 * @set: its set
 * @sum: sums over slices of that set
 *
 * Context: Any.
 * Return: true if it uses misses of that cache, none of whose reads were counted with them.
 */
bool n3t_lacks_reads(const struct n3t_formula *formula, const struct n3t_set *set,
		     const struct n3t_set_sum *sum)
{
	const u64 *reads = count_of(set, sum, N3T_CODE_LL_CACHE_RD);

	return n3t_formula_uses(formula, N3T_CODE_LL_CACHE_MISS_RD) && reads && !*reads;
}

static enum n3t_verdict judge_counts(enum n3t_metric metric, const struct n3t_plan *plan,
				     struct n3t_window *window, struct n3t_counts *counts)
{
	const struct n3t_set_sum *sum = n3t_window_set(window, plan->set_of[metric]);
	const struct n3t_set *set = &plan->set[plan->set_of[metric]];
	const struct n3t_formula *formula = n3t_metric_formula(metric);
	enum n3t_verdict verdict;
	bool any_zero;

	verdict = take_counts(formula, set, sum, counts, &any_zero);
	if (verdict == N3T_VALUE && any_zero)
		verdict = judge_zero(set, sum, plan, window, counts);
	if (verdict != N3T_VALUE)
		return verdict;
	if (uses_stall_slot(formula) && stalls_are_wrong(window, set, sum))
		return N3T_INCONSISTENT;
	return n3t_lacks_reads(formula, set, sum) ? N3T_UNDEF : N3T_VALUE;
}

/**
 * n3t_metric_counts() - counts for a metric on one CPU, or the reason why there are none
 * @metric: the metric
 * @state: the state of the CPU
 * @plan: the plan in force there; may be NULL if the CPU is offline, disabled
 *	or unplaced
 * @window: sums of the CPU's slices; read for N3T_CPU_SAMPLING only
 * @counts: the counts of the formula's events in its order, if they are usable
 *
 * Return: N3T_VALUE and @counts set, or the first verdict in the order of
 * enum n3t_verdict that applies. A denominator of 0 is left to the formula. N3T_UNDEF, with
 * @counts set, for a metric of the last-level cache if none of its reads were counted.
 */
enum n3t_verdict n3t_metric_counts(enum n3t_metric metric, enum n3t_cpu_state state,
				   const struct n3t_plan *plan, struct n3t_window *window,
				   struct n3t_counts *counts)
{
	enum n3t_verdict verdict = judge_cpu(state);

	if (verdict <= N3T_DISABLED)
		return verdict;
	if (plan && !test_bit(metric, plan->chosen))
		return N3T_DISABLED;
	if (verdict == N3T_UNPLACED)
		return verdict;
	verdict = min(verdict, judge_place(metric, plan));
	if (verdict != N3T_VALUE)
		return verdict;
	if (state == N3T_CPU_CONTENDED)
		return N3T_CONTENDED;
	verdict = judge_slices(window, n3t_window_set(window, plan->set_of[metric]));
	return verdict == N3T_VALUE ? judge_counts(metric, plan, window, counts) : verdict;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_metric_counts);

/* Counts of a set that no metric should be computed from, a bit for each. */
static u32 wrong_counts(struct n3t_window *window, const struct n3t_plan *plan, unsigned int nr)
{
	const struct n3t_set_sum *sum = n3t_window_sum(window, nr);
	const struct n3t_set *set = &plan->set[nr];
	bool stalls = stalls_are_wrong(window, set, sum);
	bool zeros = doubts_zero(set, sum, window, plan);
	u32 wrong = 0;
	unsigned int i;

	if ((!stalls && !zeros) || judge_slices(window, sum) != N3T_VALUE)
		return 0;
	for (i = 0; i < set->nr; i++)
		if ((zeros && !sum->count[i]) || (stalls && is_stall_slot(set->code[i])))
			wrong |= 1u << i;
	return wrong;
}

/* Does a metric use wrong counts? As judge_counts(). */
static bool is_faulty(enum n3t_metric metric, const struct n3t_plan *plan,
		      const struct n3t_window *window, u32 wrong)
{
	const struct n3t_set *set = &plan->set[plan->set_of[metric]];
	const struct n3t_formula *formula = n3t_metric_formula(metric);
	bool of_sampling = false;
	unsigned int i;
	u32 used = 0;

	for (i = 0; i < formula->nr_events; i++) {
		used |= n3t_counts_summed(set->code, set->nr, formula->code[i]);
		of_sampling |= is_of_sampling(formula->code[i]);
	}
	/* Unless zeros are wrong for certain, all of a set are: then nothing was sampled. */
	return used & wrong && (!of_sampling || window->trust == N3T_TRUST_PRETENDS);
}

/**
 * n3t_window_faults() - find the metrics of a sampling CPU whose counts are wrong
 * @window: complete sums of the CPU's slices, judged
 * @plan: the plan under which the slices were taken
 * @faults: set to the metrics for which n3t_metric_counts() is N3T_IMPLAUSIBLE or
 *	N3T_INCONSISTENT, sums beyond 64 bits aside
 *
 * Cheap, because the CPU's sampling pays for it: metrics of sets without wrong counts are
 * not visited.
 *
 * Context: Any; one caller at a time for @window.
 */
void n3t_window_faults(struct n3t_window *window, const struct n3t_plan *plan,
		       unsigned long *faults)
{
	u32 wrong[N3T_MAX_SETS], any = 0;
	unsigned int i, metric;

	bitmap_zero(faults, N3T_NR_METRICS);
	for (i = 0; i < window->nr_sets; i++) {
		wrong[i] = wrong_counts(window, plan, i);
		any |= wrong[i];
	}
	if (!any)
		return;
	for_each_set_bit(metric, plan->chosen, N3T_NR_METRICS) {
		int set = plan->set_of[metric];

		if (set != N3T_NO_SET && wrong[set] && is_faulty(metric, plan, window, wrong[set]))
			__set_bit(metric, faults);
	}
}

/**
 * n3t_metric_value() - value of a metric on one CPU, or the reason why there is none
 * @metric: the metric
 * @state: the state of the CPU
 * @plan: the plan in force there; may be NULL if the CPU is offline, disabled
 *	or unplaced
 * @window: sums of the CPU's slices; read for N3T_CPU_SAMPLING only
 * @value: the exact value, if there is one
 *
 * Return: N3T_VALUE and @value set, or the first verdict in the order of
 * enum n3t_verdict that applies
 */
enum n3t_verdict n3t_metric_value(enum n3t_metric metric, enum n3t_cpu_state state,
				  const struct n3t_plan *plan, struct n3t_window *window,
				  struct n3t_ratio *value)
{
	struct n3t_counts counts;
	enum n3t_verdict verdict;

	verdict = n3t_metric_counts(metric, state, plan, window, &counts);
	if (verdict != N3T_VALUE)
		return verdict;
	return n3t_formula_eval(n3t_metric_formula(metric), &counts, value);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_metric_value);
