// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The plan: packs metrics into counter sets and orders the sets in time.
 *
 * A metric is computed from events that were counted together, so it is placed
 * whole in one set or not at all. Packing into the fewest sets is a hard
 * problem; the greedy choice below needs 13 sets for all metrics of the
 * specification at 6 counters; fewer than 12 are impossible. Its
 * tie-breaks matter: others need 14 or more.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <kunit/visibility.h>

#include "libn3t/formula.h"
#include "libn3t/plan.h"
#include "libn3t/random.h"
#include "libn3t/shape.h"
#include "libn3t/spec.h"

/* Rotations store set numbers in bytes. */
static_assert(N3T_MAX_SETS <= U8_MAX);

/*
 * Work in progress.
 * @anchored: sets begin with the anchors, except for metrics that do not fit next to them
 * @left: metrics still to be placed
 * @rarity: for each metric the number of chosen metrics that use its events, summed up
 */
struct packing {
	struct n3t_plan *plan;
	bool anchored;
	DECLARE_BITMAP(left, N3T_NR_METRICS);
	u16 rarity[N3T_NR_METRICS];
};

/* A metric that could be added to a set next, and the criteria for the choice. */
struct candidate {
	int metric;
	unsigned int nr;	/* its events */
	unsigned int covered;	/* events that the set already holds */
	unsigned int rarity;
};

static bool set_has(const struct n3t_set *set, u16 code)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (set->code[i] == code)
			return true;
	return false;
}

static void set_add(struct n3t_set *set, const struct n3t_formula *formula)
{
	unsigned int i;

	for (i = 0; i < formula->nr_events; i++)
		if (!set_has(set, formula->code[i]))
			set->code[set->nr++] = formula->code[i];
}

static void set_drop(struct n3t_set *set, u16 code)
{
	unsigned int i, kept = 0;

	for (i = 0; i < set->nr; i++)
		if (set->code[i] != code)
			set->code[kept++] = set->code[i];
	set->nr = kept;
}

static unsigned int set_covers(const struct n3t_set *set, const struct n3t_formula *formula)
{
	unsigned int i, covered = 0;

	for (i = 0; i < formula->nr_events; i++)
		covered += set_has(set, formula->code[i]);
	return covered;
}

/*
 * The largest share of its events in the set, then the most events, then the
 * rarest events, then the last by name. In an empty set all shares are 0.
 */
static bool better(const struct candidate *a, const struct candidate *b)
{
	unsigned int share_a, share_b;

	if (b->metric < 0)
		return true;
	share_a = a->covered * b->nr;
	share_b = b->covered * a->nr;
	if (share_a != share_b)
		return share_a > share_b;
	if (a->nr != b->nr)
		return a->nr > b->nr;
	if (a->rarity != b->rarity)
		return a->rarity < b->rarity;
	return strcmp(n3t_metrics[a->metric].name, n3t_metrics[b->metric].name) > 0;
}

static unsigned int room_in_set(const struct n3t_plan *plan)
{
	return min_t(unsigned int, plan->budget, N3T_MAX_PACKED);
}

/* The metric to add to @set next, or -1 if none fits. */
static int pick(const struct packing *packing, const struct n3t_set *set)
{
	struct candidate best = { .metric = -1 };
	unsigned int metric;

	for_each_set_bit(metric, packing->left, N3T_NR_METRICS) {
		const struct n3t_formula *formula = n3t_metric_formula(metric);
		struct candidate candidate = {
			.metric = metric,
			.nr = formula->nr_events,
			.covered = set_covers(set, formula),
			.rarity = packing->rarity[metric],
		};

		if (set->nr + candidate.nr - candidate.covered > room_in_set(packing->plan))
			continue;
		if (better(&candidate, &best))
			best = candidate;
	}
	return best.metric;
}

static void place(struct packing *packing, unsigned int metric, unsigned int set)
{
	packing->plan->set_of[metric] = set;
	__clear_bit(metric, packing->left);
}

/* Is an event excluded as distrusted? */
bool n3t_plan_distrusts(const struct n3t_plan *plan, u16 code)
{
	int event;

	if (bitmap_empty(plan->distrust, N3T_NR_EVENTS))
		return false;
	event = n3t_event_by_code(code);
	return event >= 0 && test_bit(event, plan->distrust);
}

/* Are all events of the chosen metrics, which may be none, and of the custom set distrusted? */
bool n3t_plan_is_unsupported(const struct n3t_plan *plan)
{
	return bitmap_subset(plan->chosen, plan->unsupported, N3T_NR_METRICS) &&
	       plan->has_custom == plan->custom_unsupported;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_plan_is_unsupported);

/* Add the anchors that fit. */
static void add_anchors(const struct n3t_plan *plan, struct n3t_set *set)
{
	unsigned int i;

	for (i = 0; i < plan->nr_anchors && set->nr < room_in_set(plan); i++)
		if (!set_has(set, plan->anchor[i]))
			set->code[set->nr++] = plan->anchor[i];
}

/*
 * Metrics whose events are all in the set have the largest share and come first. Returns
 * false if no metric fits.
 */
static bool fill_set(struct packing *packing, unsigned int nr)
{
	struct n3t_set *set = &packing->plan->set[nr];
	bool filled = false;
	int metric;

	for (metric = pick(packing, set); metric >= 0; metric = pick(packing, set)) {
		set_add(set, n3t_metric_formula(metric));
		place(packing, metric, nr);
		filled = true;
	}
	return filled;
}

static void fill_sets(struct packing *packing)
{
	struct n3t_plan *plan = packing->plan;

	while (!bitmap_empty(packing->left, N3T_NR_METRICS)) {
		struct n3t_set *set = &plan->set[plan->nr_sets];

		if (packing->anchored)
			add_anchors(plan, set);
		if (fill_set(packing, plan->nr_sets)) {
			add_anchors(plan, set);
			plan->nr_sets++;
		} else {
			set->nr = 0;
			packing->anchored = false;
		}
	}
}

static bool can_derive_stall_slot(const struct n3t_set *set)
{
	return set_has(set, N3T_CODE_STALL_SLOT_FRONTEND) &&
	       set_has(set, N3T_CODE_STALL_SLOT_BACKEND);
}

/*
 * Topdown_L1 is read as a whole, so it forms one set if possible. With
 * one counter too few STALL_SLOT is omitted: on this core it is the sum of
 * STALL_SLOT_FRONTEND and STALL_SLOT_BACKEND, if the set holds both. No set has distrusted
 * events: metrics that need them are not in @left.
 */
static void make_l1_set(struct packing *packing)
{
	const struct n3t_group_info *group = &n3t_groups[N3T_GROUP_Topdown_L1];
	struct n3t_plan *plan = packing->plan;
	struct n3t_set *set = &plan->set[0];
	unsigned int i;

	for (i = 0; i < group->nr_members; i++)
		if (test_bit(group->members[i], packing->left))
			set_add(set, n3t_metric_formula(group->members[i]));
	if (!set->nr)
		return;
	if (set->nr > plan->budget && can_derive_stall_slot(set)) {
		set_drop(set, N3T_CODE_STALL_SLOT);
		plan->derives_stall_slot = true;
	}
	if (set->nr > plan->budget) {
		set->nr = 0;
		plan->derives_stall_slot = false;
		return;
	}

	for (i = 0; i < group->nr_members; i++)
		if (test_bit(group->members[i], packing->left))
			place(packing, group->members[i], 0);
	plan->l1_set = 0;
	plan->nr_sets = 1;
	add_anchors(plan, set);
	fill_set(packing, 0);
}

static void choose_metrics(struct packing *packing, const unsigned long *groups)
{
	unsigned int group, i;

	for_each_set_bit(group, groups, N3T_NR_GROUPS)
		for (i = 0; i < n3t_groups[group].nr_members; i++)
			if (n3t_metric_is_available(n3t_groups[group].members[i]))
				__set_bit(n3t_groups[group].members[i], packing->left);
}

static bool is_supported(const struct n3t_plan *plan, const struct n3t_formula *formula)
{
	unsigned int i;

	if (formula->has_cycles && n3t_plan_distrusts(plan, N3T_CODE_CPU_CYCLES))
		return false;
	for (i = 0; i < formula->nr_events; i++)
		if (n3t_plan_distrusts(plan, formula->code[i]))
			return false;
	return true;
}

static void drop_unsupported(struct packing *packing)
{
	unsigned int metric;

	for_each_set_bit(metric, packing->left, N3T_NR_METRICS) {
		if (is_supported(packing->plan, n3t_metric_formula(metric)))
			continue;
		__set_bit(metric, packing->plan->unsupported);
		__clear_bit(metric, packing->left);
	}
}

static unsigned int metric_rarity(const struct packing *packing, unsigned int metric)
{
	const struct n3t_formula *formula = n3t_metric_formula(metric);
	unsigned int other, i, uses = 0;

	for (i = 0; i < formula->nr_events; i++)
		for_each_set_bit(other, packing->left, N3T_NR_METRICS)
			uses += n3t_formula_uses(n3t_metric_formula(other), formula->code[i]);
	return uses;
}

static void drop_too_large(struct packing *packing)
{
	unsigned int metric;

	for_each_set_bit(metric, packing->left, N3T_NR_METRICS)
		if (n3t_metric_formula(metric)->nr_events > packing->plan->budget)
			__clear_bit(metric, packing->left);
}

/* Index of an event among those of the sets before @end, or the next free one. */
static unsigned int event_id(const struct n3t_plan *plan, unsigned int end, u16 code)
{
	unsigned int set, i;

	for (set = 0; set < end; set++)
		for (i = 0; i < plan->set[set].nr; i++)
			if (plan->set[set].code[i] == code)
				return plan->set[set].id[i];
	return plan->nr_events;
}

static_assert(N3T_MAX_EVENTS - 1 <= U8_MAX);

static void number_events(struct n3t_plan *plan, unsigned int nr)
{
	struct n3t_set *set = &plan->set[nr];
	unsigned int i;

	for (i = 0; i < set->nr; i++) {
		set->id[i] = event_id(plan, nr, set->code[i]);
		plan->nr_events += set->id[i] == plan->nr_events;
	}
	set->slots = n3t_counts_summed(set->code, set->nr, N3T_CODE_STALL_SLOT);
}

static void find_anchors(struct n3t_plan *plan, struct n3t_set *set)
{
	unsigned int i, k;

	for (i = 0; i < N3T_MAX_ANCHORS; i++)
		set->anchor[i] = N3T_NO_ANCHOR;
	for (i = 0; i < plan->nr_anchors; i++)
		for (k = 0; k < set->nr; k++)
			if (set->code[k] == plan->anchor[i])
				set->anchor[i] = k;
}

static void choose_anchors(struct n3t_plan *plan, const struct n3t_anchors *anchors)
{
	unsigned int i;

	for (i = 0; i < anchors->nr; i++)
		if (!n3t_plan_distrusts(plan, anchors->code[i]))
			plan->anchor[plan->nr_anchors++] = anchors->code[i];
}

static void plan_init(struct n3t_plan *plan, unsigned int budget, const unsigned long *distrust)
{
	unsigned int metric;

	memset(plan, 0, sizeof(*plan));
	plan->budget = budget;
	plan->l1_set = N3T_NO_SET;
	plan->custom_set = N3T_NO_SET;
	if (distrust)
		bitmap_copy(plan->distrust, distrust, N3T_NR_EVENTS);
	for (metric = 0; metric < N3T_NR_METRICS; metric++)
		plan->set_of[metric] = N3T_NO_SET;
}

static void pack(struct n3t_plan *plan, unsigned int budget, const unsigned long *groups,
		 const struct n3t_anchors *anchors, const unsigned long *distrust)
{
	struct packing packing = { .plan = plan, .anchored = true };
	unsigned int metric, set;

	plan_init(plan, budget, distrust);
	choose_anchors(plan, anchors);
	choose_metrics(&packing, groups);
	bitmap_copy(plan->chosen, packing.left, N3T_NR_METRICS);
	drop_unsupported(&packing);
	for_each_set_bit(metric, packing.left, N3T_NR_METRICS)
		packing.rarity[metric] = metric_rarity(&packing, metric);

	if (test_bit(N3T_GROUP_Topdown_L1, groups))
		make_l1_set(&packing);
	drop_too_large(&packing);
	fill_sets(&packing);
	for (set = 0; set < plan->nr_sets; set++) {
		number_events(plan, set);
		find_anchors(plan, &plan->set[set]);
	}
}

/* Are there sets to correlate, and does every set have all anchors? */
static bool is_anchored(const struct n3t_plan *plan)
{
	unsigned int set, i;

	for (set = 0; set < plan->nr_sets; set++)
		for (i = 0; i < plan->nr_anchors; i++)
			if (plan->set[set].anchor[i] == N3T_NO_ANCHOR)
				return false;
	return plan->nr_sets > 1;
}

/**
 * n3t_plan_make() - pack the metrics of the chosen groups into counter sets
 * @plan: the plan to fill in; old contents are overwritten
 * @budget: programmable counters, not including the cycle counter, 1 to N3T_MAX_COUNTERS
 * @groups: bitmap over enum n3t_group: the chosen groups
 * @anchors: events to include in every set; NULL for none
 * @distrust: bitmap over enum n3t_event: events that do not count; NULL for none
 *
 * Topdown_L1, if chosen, is set 0 if it fits: 6 counters, or 5 with
 * STALL_SLOT derived. A metric that needs more counters than there are gets no
 * place (N3T_NO_SET). The same applies to metrics with a distrusted event, including
 * CPU_CYCLES; these are in @plan->unsupported. @plan->nr_sets is 0 if no metric of
 * the chosen groups is left. Equal arguments give equal plans.
 *
 * Anchors cost sets, but do not displace metrics: those that do not fit next to all anchors
 * are in sets with fewer, and so is Topdown_L1. The automatic choice is an anchor only if
 * every set has it. A distrusted event cannot be an anchor.
 *
 * Context: Any. Takes well under a millisecond and needs no lock; @plan must
 * not be in use.
 *
 * Return:
 * * 0 - the plan is complete
 * * -EINVAL - @budget is out of range or no group is chosen; @plan is unchanged
 */
int n3t_plan_make(struct n3t_plan *plan, unsigned int budget, const unsigned long *groups,
		  const struct n3t_anchors *anchors, const unsigned long *distrust)
{
	static const struct n3t_anchors usual = {
		.nr = 1, .code = { N3T_CODE_STALL_SLOT_BACKEND },
	};
	static const struct n3t_anchors none;

	if (!budget || budget > N3T_MAX_COUNTERS || bitmap_empty(groups, N3T_NR_GROUPS))
		return -EINVAL;

	if (!anchors)
		anchors = &none;
	pack(plan, budget, groups, anchors->automatic ? &usual : anchors, distrust);
	if (anchors->automatic && !is_anchored(plan))
		pack(plan, budget, groups, &none, distrust);
	n3t_shape_find(plan);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_plan_make);

/**
 * n3t_plan_add_custom() - add a set for the user's own events
 * @plan: the plan, as filled in by n3t_plan_make()
 * @codes: event numbers, all different, none of them CPU_CYCLES
 * @nr: number of events; no set is added if more of them than the budget must be counted
 *
 * Distrusted events are skipped. INST_RETIRED is added if it fits, as a reference for
 * the counts.
 *
 * Context: Any.
 */
void n3t_plan_add_custom(struct n3t_plan *plan, const u16 *codes, unsigned int nr)
{
	struct n3t_set *set = &plan->set[plan->nr_sets];
	unsigned int i, trusted = 0;

	plan->has_custom = nr;
	for (i = 0; i < nr; i++)
		trusted += !n3t_plan_distrusts(plan, codes[i]);
	plan->custom_unsupported = nr && !trusted;
	if (!trusted || trusted > plan->budget)
		return;

	set->nr = 0;
	for (i = 0; i < nr; i++)
		if (!n3t_plan_distrusts(plan, codes[i]))
			set->code[set->nr++] = codes[i];
	if (set->nr < plan->budget && !set_has(set, N3T_CODE_INST_RETIRED) &&
	    !n3t_plan_distrusts(plan, N3T_CODE_INST_RETIRED))
		set->code[set->nr++] = N3T_CODE_INST_RETIRED;
	number_events(plan, plan->nr_sets);
	memset(set->anchor, N3T_NO_ANCHOR, sizeof(set->anchor));
	plan->custom_set = plan->nr_sets++;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_plan_add_custom);

/* Number of sets that alternate with Topdown_L1, and the first of them. */
static unsigned int nr_others(const struct n3t_plan *plan)
{
	return plan->l1_set == N3T_NO_SET ? plan->nr_sets : plan->nr_sets - 1;
}

static unsigned int first_other(const struct n3t_plan *plan)
{
	return plan->l1_set == N3T_NO_SET ? 0 : 1;
}

/**
 * n3t_plan_rotation() - length of a rotation
 * @plan: the plan
 *
 * Context: Any.
 *
 * Return: the number of slices that gives every set its turn: Topdown_L1 half
 * of the slices, any other set one. 0 if the plan has no set.
 */
unsigned int n3t_plan_rotation(const struct n3t_plan *plan)
{
	unsigned int others = nr_others(plan);

	if (plan->l1_set == N3T_NO_SET)
		return others;
	return others ? 2 * others : 1;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_plan_rotation);

/* Starts a rotation; a different seed for each CPU keeps CPUs out of step. */
void n3t_rotation_init(struct n3t_rotation *rotation, const struct n3t_plan *plan, u32 seed)
{
	unsigned int i, others = nr_others(plan);

	rotation->step = 0;
	rotation->seed = n3t_random_state(seed);
	for (i = 0; i < others; i++)
		rotation->order[i] = first_other(plan) + i;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_rotation_init);

static unsigned int random_below(u32 *seed, unsigned int range)
{
	return ((u64)n3t_random(seed) * range) >> 32;
}

/**
 * n3t_rotation_next() - set to count in the next slice
 * @rotation: position of the CPU in its plan
 * @plan: the plan that @rotation was initialised with
 *
 * The sets other than Topdown_L1 are reshuffled in every rotation, one step of the
 * shuffle per set at its turn, so each call takes the same short time. Each set
 * is paired with Topdown_L1 in random order, so that neither gets in step with
 * periodic work.
 *
 * Context: Only the CPU's sampler, interrupts included.
 *
 * Return: the number of the set; 0 if the plan has no set.
 */
unsigned int n3t_rotation_next(struct n3t_rotation *rotation, const struct n3t_plan *plan)
{
	unsigned int others = nr_others(plan);
	unsigned int step = rotation->step;
	unsigned int turn, pick;

	if (!others)
		return 0;

	rotation->step = step + 1 < n3t_plan_rotation(plan) ? step + 1 : 0;
	if (plan->l1_set != N3T_NO_SET) {
		if (step % 2 == 0)
			rotation->l1_first = random_below(&rotation->seed, 2);
		if ((step % 2 == 0) == rotation->l1_first)
			return plan->l1_set;
	}

	turn = plan->l1_set != N3T_NO_SET ? step / 2 : step;
	pick = turn + random_below(&rotation->seed, others - turn);
	swap(rotation->order[pick], rotation->order[turn]);
	return rotation->order[turn];
}
EXPORT_SYMBOL_IF_KUNIT(n3t_rotation_next);
