/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The plan: events grouped into counter sets. */
#ifndef _N3T_PLAN_H
#define _N3T_PLAN_H

#include <linux/limits.h>

#include "libn3t/n3t.h"

#define N3T_MAX_SETS	(N3T_NR_METRICS + 1)	/* one for the user's own events */
#define N3T_NO_SET	(-1)
#define N3T_MAX_PACKED	25	/* events of metrics in a set: it fits in a record of moments */
#define N3T_MAX_EVENTS	(N3T_NR_EVENTS + N3T_MAX_COUNTERS)	/* of a plan */

#define N3T_MAX_PARTS	(N3T_MAX_COUNTERS + 4)	/* words of a struct n3t_slice */

#define N3T_MAX_ANCHORS	4
#define N3T_NO_ANCHOR	U8_MAX

/**
 * struct n3t_anchors - events to count in every set
 * @automatic: STALL_SLOT_BACKEND if every metric still finds a place, otherwise none
 * @nr: number of anchors if not @automatic
 * @code: event numbers, all different, none of them CPU_CYCLES
 */
struct n3t_anchors {
	bool automatic;
	unsigned int nr;
	u16 code[N3T_MAX_ANCHORS];
};

/**
 * struct n3t_shape - the parts of a slice that the metrics of a set depend on, and the products
 *	of two of them that a metric needs
 * @nr_products: number of products
 * @nr_parts: number of parts
 * @part: the parts, by their number of partners
 * @from: for each the first part that it is multiplied with; the last one is itself
 */
struct n3t_shape {
	u16 nr_products;
	u8 nr_parts;
	u8 part[N3T_MAX_PARTS];
	u8 from[N3T_MAX_PARTS];
};

/**
 * struct n3t_set - a counter set
 * @nr: number of programmable events, at most the plan's budget
 * @code: event numbers
 * @slots: those of them that add up to STALL_SLOT, a bit for each; 0 if none do
 * @id: index of each event among the events of the plan, the same in all sets
 * @anchor: index of each anchor of the plan in @code, or N3T_NO_ANCHOR
 * @shape: the products that its metrics need
 */
struct n3t_set {
	unsigned int nr;
	u16 code[N3T_MAX_COUNTERS];
	u32 slots;
	u8 id[N3T_MAX_COUNTERS];
	u8 anchor[N3T_MAX_ANCHORS];
	struct n3t_shape shape;
};

/**
 * struct n3t_plan - the counter sets for one budget and one choice of groups
 * @budget: programmable counters, 1 to N3T_MAX_COUNTERS
 * @nr_sets: number of sets
 * @nr_events: number of different events in all sets
 * @l1_set: the set that holds Topdown_L1 except its unsupported metrics (always 0),
 *	or N3T_NO_SET
 * @derives_stall_slot: STALL_SLOT is taken as the sum of its two parts in @l1_set
 * @has_custom: the user has requested a set of their own
 * @custom_unsupported: all events of the custom set are distrusted
 * @custom_set: the custom set, or N3T_NO_SET
 * @nr_anchors: number of events in every set with room for them, except @custom_set
 * @anchor: event numbers of the anchors
 * @distrust: bitmap over enum n3t_event of the events excluded from all sets
 * @chosen: the metrics of the chosen groups
 * @unsupported: chosen metrics that need a distrusted event
 * @set_of: for each metric the set that holds all its events, or N3T_NO_SET
 * @set: the sets
 *
 * Immutable once complete: readers need no lock for the contents.
 */
struct n3t_plan {
	unsigned int budget;
	unsigned int nr_sets;
	unsigned int nr_events;
	int l1_set;
	bool derives_stall_slot;
	bool has_custom;
	bool custom_unsupported;
	int custom_set;
	unsigned int nr_anchors;
	u16 anchor[N3T_MAX_ANCHORS];
	DECLARE_BITMAP(distrust, N3T_NR_EVENTS);
	DECLARE_BITMAP(chosen, N3T_NR_METRICS);
	DECLARE_BITMAP(unsupported, N3T_NR_METRICS);
	s16 set_of[N3T_NR_METRICS];
	struct n3t_set set[N3T_MAX_SETS];
};

int n3t_plan_make(struct n3t_plan *plan, unsigned int budget, const unsigned long *groups,
		  const struct n3t_anchors *anchors, const unsigned long *distrust);
bool n3t_plan_distrusts(const struct n3t_plan *plan, u16 code);
bool n3t_plan_is_unsupported(const struct n3t_plan *plan);
void n3t_plan_add_custom(struct n3t_plan *plan, const u16 *codes, unsigned int nr);
unsigned int n3t_plan_rotation(const struct n3t_plan *plan);

/**
 * struct n3t_rotation - position of a CPU in its plan
 * @step: next slice of the rotation
 * @l1_first: Topdown_L1 comes first in this pair; random for each pair
 * @seed: state of the shuffle
 * @order: the other sets, reshuffled in every rotation
 *
 * With Topdown_L1 in set 0 the rotation consists of pairs of set 0 and another set, each
 * in random order: 0 a b 0 c 0 0 d ..., then a new shuffle. With strict alternation,
 * Topdown_L1 would only see one half of a workload that changes with every slice. Only
 * the CPU's sampler writes to it.
 */
struct n3t_rotation {
	unsigned int step;
	bool l1_first;
	u32 seed;
	u8 order[N3T_MAX_SETS];
};

void n3t_rotation_init(struct n3t_rotation *rotation, const struct n3t_plan *plan, u32 seed);
unsigned int n3t_rotation_next(struct n3t_rotation *rotation, const struct n3t_plan *plan);

#endif /* _N3T_PLAN_H */
