/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Invariants of any plan. */
#ifndef _N3T_PLAN_CHECK_H
#define _N3T_PLAN_CHECK_H

#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/string.h>

#include "libn3t/formula.h"
#include "libn3t/plan.h"
#include "libn3t/spec.h"

/* The metric groups that the specification defines. */
static inline void check_specified_groups(unsigned long *groups)
{
	unsigned int group;

	bitmap_zero(groups, N3T_NR_GROUPS);
	for (group = 0; group < N3T_NR_GROUPS; group++)
		if (n3t_groups[group].stage)
			__set_bit(group, groups);
}

static inline bool check_set_has(const struct n3t_set *set, u16 code)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (set->code[i] == code)
			return true;
	return false;
}

static inline bool check_group_has(unsigned int group, unsigned int metric)
{
	unsigned int i;

	for (i = 0; i < n3t_groups[group].nr_members; i++)
		if (n3t_groups[group].members[i] == metric)
			return true;
	return false;
}

static inline bool check_is_chosen(const unsigned long *groups, unsigned int metric)
{
	unsigned int group;

	for_each_set_bit(group, groups, N3T_NR_GROUPS)
		if (check_group_has(group, metric))
			return true;
	return false;
}

static inline bool check_is_distrusted(const unsigned long *distrust, u16 code)
{
	unsigned int event;

	for_each_set_bit(event, distrust, N3T_NR_EVENTS)
		if (n3t_events[event].code == code)
			return true;
	return false;
}

/* Does the text of a metric's formula contain a distrusted event? */
static inline bool check_needs_distrusted(const unsigned long *distrust, unsigned int metric)
{
	const char *text = n3t_metrics[metric].formula;
	unsigned int event;
	size_t len;

	while (*text) {
		len = strcspn(text, " ()*/+-");
		for_each_set_bit(event, distrust, N3T_NR_EVENTS)
			if (strlen(n3t_events[event].name) == len &&
			    !strncmp(n3t_events[event].name, text, len))
				return true;
		text += len + !len;
	}
	return false;
}

/* Events of Topdown_L1 except for unsupported metrics: the counters that it needs. */
static inline void check_l1_events(const unsigned long *distrust, struct n3t_set *set)
{
	const struct n3t_group_info *group = &n3t_groups[N3T_GROUP_Topdown_L1];
	unsigned int i, k;

	set->nr = 0;
	for (i = 0; i < group->nr_members; i++) {
		const struct n3t_formula *formula = n3t_metric_formula(group->members[i]);

		if (check_needs_distrusted(distrust, group->members[i]))
			continue;
		for (k = 0; k < formula->nr_events; k++)
			if (!check_set_has(set, formula->code[k]))
				set->code[set->nr++] = formula->code[k];
	}
}

/* Does @set provide the count of @code, counted or as the sum of two counted events? */
static inline bool check_gives(const struct n3t_plan *plan, int set, u16 code)
{
	const struct n3t_set *s = &plan->set[set];

	if (check_set_has(s, code))
		return true;
	return plan->derives_stall_slot && set == plan->l1_set && code == N3T_CODE_STALL_SLOT &&
	       check_set_has(s, N3T_CODE_STALL_SLOT_FRONTEND) &&
	       check_set_has(s, N3T_CODE_STALL_SLOT_BACKEND);
}

static inline const char *check_metric(const struct n3t_plan *plan, unsigned int metric,
				       const unsigned long *groups)
{
	const struct n3t_formula *formula = n3t_metric_formula(metric);
	bool in_l1 = plan->l1_set != N3T_NO_SET && check_group_has(N3T_GROUP_Topdown_L1, metric);
	int set = plan->set_of[metric];
	unsigned int i;

	if (test_bit(metric, plan->chosen) != check_is_chosen(groups, metric))
		return "a metric is marked as chosen and is not, or vice versa";
	if (test_bit(metric, plan->unsupported) !=
	    (test_bit(metric, plan->chosen) && check_needs_distrusted(plan->distrust, metric)))
		return "a metric is marked as unsupported and is not, or vice versa";
	if (!check_is_chosen(groups, metric))
		return set == N3T_NO_SET ? NULL : "a metric that was not chosen is placed";
	if (test_bit(metric, plan->unsupported))
		return set == N3T_NO_SET ? NULL : "a metric that is unsupported is placed";
	if (formula->nr_events > plan->budget && !in_l1)
		return set == N3T_NO_SET ? NULL : "a metric that cannot fit is placed";
	if (set == N3T_NO_SET)
		return "a metric that fits is not placed";
	if (set < 0 || set >= (int)plan->nr_sets)
		return "a metric is placed in a set that does not exist";
	if (in_l1 && set != plan->l1_set)
		return "Topdown_L1 is incomplete";
	for (i = 0; i < formula->nr_events; i++)
		if (!check_gives(plan, set, formula->code[i]))
			return "a metric's event is not in its set";
	return NULL;
}

static inline const char *check_set(const struct n3t_plan *plan, unsigned int nr)
{
	const struct n3t_set *set = &plan->set[nr];
	unsigned int i, j, metric, metrics = 0;

	if (!set->nr || set->nr > plan->budget)
		return "a set is empty or over the budget";
	for (i = 0; i < set->nr; i++) {
		if (set->code[i] == N3T_CODE_CPU_CYCLES)
			return "a set spends a counter on CPU_CYCLES";
		if (check_is_distrusted(plan->distrust, set->code[i]))
			return "a set has a distrusted event";
		for (j = 0; j < i; j++)
			if (set->code[i] == set->code[j])
				return "a set counts an event twice";
	}
	for (metric = 0; metric < N3T_NR_METRICS; metric++)
		metrics += plan->set_of[metric] == (int)nr;
	if (plan->custom_set == (int)nr)
		return metrics ? "a metric is placed in the user's own set" : NULL;
	return metrics ? NULL : "a set holds no metric";
}

/* Do equal events, and only these, share an index, and is none left out? */
static inline const char *check_ids(const struct n3t_plan *plan)
{
	unsigned int set, i, id, known = 0;
	u16 code_of[N3T_MAX_EVENTS];

	for (set = 0; set < plan->nr_sets; set++) {
		for (i = 0; i < plan->set[set].nr; i++) {
			id = plan->set[set].id[i];
			if (id > known || id >= plan->nr_events)
				return "an event has an index beyond the next";
			if (id == known)
				code_of[known++] = plan->set[set].code[i];
			else if (code_of[id] != plan->set[set].code[i])
				return "two events share an index";
		}
	}
	for (i = 0; i < known; i++)
		for (id = 0; id < i; id++)
			if (code_of[id] == code_of[i])
				return "an event has two indices";
	return known == plan->nr_events ? NULL : "there are more indices than events";
}

/**
 * plan_fault() - find a fault in a plan
 * @plan: a plan made for @groups
 * @groups: the chosen groups
 *
 * Return: the first violated invariant, or NULL.
 */
static inline const char *plan_fault(const struct n3t_plan *plan, const unsigned long *groups)
{
	const char *fault = NULL;
	bool derivable, l1;
	struct n3t_set set;
	unsigned int i;

	check_l1_events(plan->distrust, &set);
	derivable = check_set_has(&set, N3T_CODE_STALL_SLOT) &&
		    check_set_has(&set, N3T_CODE_STALL_SLOT_FRONTEND) &&
		    check_set_has(&set, N3T_CODE_STALL_SLOT_BACKEND);
	l1 = test_bit(N3T_GROUP_Topdown_L1, groups) && set.nr &&
	     plan->budget >= set.nr - derivable;
	if (plan->l1_set != (l1 ? 0 : N3T_NO_SET))
		return "Topdown_L1 fits but is not set 0, or vice versa";
	if (plan->derives_stall_slot != (l1 && plan->budget < set.nr))
		return "STALL_SLOT is derived without need, or not derived despite need";
	for (i = 0; i < plan->nr_anchors; i++)
		if (check_is_distrusted(plan->distrust, plan->anchor[i]))
			return "a distrusted event is an anchor";
	if (plan->nr_sets > N3T_MAX_SETS)
		return "there are too many sets";
	for (i = 0; i < plan->nr_sets && !fault; i++)
		fault = check_set(plan, i);
	for (i = 0; i < N3T_NR_METRICS && !fault; i++)
		fault = check_metric(plan, i, groups);
	return fault ?: check_ids(plan);
}

/* Are the positions of a set's anchors correct, and does it have all that fit? */
static inline const char *check_anchors(const struct n3t_plan *plan, unsigned int nr)
{
	const struct n3t_set *set = &plan->set[nr];
	unsigned int i, at;

	for (i = 0; i < N3T_MAX_ANCHORS; i++) {
		at = set->anchor[i];
		if ((int)nr == plan->custom_set || i >= plan->nr_anchors) {
			if (at != N3T_NO_ANCHOR)
				return "a set has an anchor that it must not have";
		} else if (at != N3T_NO_ANCHOR) {
			if (at >= set->nr || set->code[at] != plan->anchor[i])
				return "the recorded position of an anchor is wrong";
		} else if (check_set_has(set, plan->anchor[i])) {
			return "a set has an anchor that it does not record";
		} else if (set->nr < plan->budget) {
			return "a set lacks an anchor that it has room for";
		}
	}
	return NULL;
}

/* Number of sets that lack one of the plan's anchors. */
static inline unsigned int check_unanchored(const struct n3t_plan *plan)
{
	unsigned int set, i, lacking, sum = 0;

	for (set = 0; set < plan->nr_sets; set++) {
		for (i = 0, lacking = 0; i < plan->nr_anchors; i++)
			lacking |= !check_set_has(&plan->set[set], plan->anchor[i]);
		sum += lacking && (int)set != plan->custom_set;
	}
	return sum;
}

static inline bool is_placed(const struct n3t_plan *plan, unsigned int metric)
{
	return plan->set_of[metric] != N3T_NO_SET;
}

/**
 * anchors_fault() - find a forbidden effect of anchors on a plan
 * @plan: the plan
 * @plain: the plan for the same budget and groups without anchors
 *
 * Return: the first violated invariant, or NULL.
 */
static inline const char *anchors_fault(const struct n3t_plan *plan, const struct n3t_plan *plain)
{
	const char *fault = NULL;
	unsigned int i, k;

	if (plan->nr_anchors > N3T_MAX_ANCHORS)
		return "there are too many anchors";
	for (i = 0; i < plan->nr_anchors; i++) {
		if (plan->anchor[i] == N3T_CODE_CPU_CYCLES)
			return "CPU_CYCLES is an anchor";
		for (k = 0; k < i; k++)
			if (plan->anchor[i] == plan->anchor[k])
				return "an anchor is listed twice";
	}
	if (plan->l1_set != plain->l1_set || plan->derives_stall_slot != plain->derives_stall_slot)
		return "Topdown_L1 is counted differently";
	for (i = 0; i < N3T_NR_METRICS; i++)
		if (is_placed(plan, i) != is_placed(plain, i))
			return "a metric has lost its place, or found one";
	for (i = 0; i < plan->nr_sets && !fault; i++)
		fault = check_anchors(plan, i);
	return fault;
}

/**
 * custom_fault() - find a fault in the user's own set
 * @plan: the plan after n3t_plan_add_custom()
 * @before: the plan before it
 * @codes: the user's events
 * @nr: number of events
 *
 * Return: the first violated invariant, or NULL.
 */
static inline const char *custom_fault(const struct n3t_plan *plan, const struct n3t_plan *before,
				       const u16 *codes, unsigned int nr)
{
	bool retired = check_is_distrusted(plan->distrust, N3T_CODE_INST_RETIRED);
	const struct n3t_set *set = &plan->set[before->nr_sets];
	unsigned int i, trusted = 0, at = 0;

	for (i = 0; i < nr; i++)
		trusted += !check_is_distrusted(plan->distrust, codes[i]);
	if (plan->has_custom != !!nr)
		return "has_custom is set without events, or vice versa";
	if (plan->custom_unsupported != (nr && !trusted))
		return "the user's set is unsupported and has events, or vice versa";
	if (!trusted || trusted > plan->budget)
		return plan->nr_sets != before->nr_sets || plan->custom_set != N3T_NO_SET ?
		       "the user's set exists without events or room" : NULL;
	if (plan->custom_set != (int)before->nr_sets || plan->nr_sets != before->nr_sets + 1)
		return "the user's set is not the last one";
	if (memcmp(plan->set, before->set, before->nr_sets * sizeof(plan->set[0])) ||
	    memcmp(plan->set_of, before->set_of, sizeof(plan->set_of)) ||
	    memcmp(plan->chosen, before->chosen, sizeof(plan->chosen)))
		return "the previous plan was changed";
	for (i = 0; i < nr; i++) {
		if (check_is_distrusted(plan->distrust, codes[i]))
			continue;
		if (set->code[at++] != codes[i])
			return "the user's events are not in their order";
		retired = retired || codes[i] == N3T_CODE_INST_RETIRED;
	}
	if (set->nr != trusted + (!retired && trusted < plan->budget))
		return "INST_RETIRED is added twice or without room, or is missing";
	if (set->nr > trusted && set->code[trusted] != N3T_CODE_INST_RETIRED)
		return "an event other than INST_RETIRED is added";
	return NULL;
}

#endif /* _N3T_PLAN_CHECK_H */
