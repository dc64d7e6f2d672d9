/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Totals of the anchors over a whole window, across all sets. */
#ifndef _N3T_ANCHORS_H
#define _N3T_ANCHORS_H

#include "libn3t/n3t.h"
#include "libn3t/plan.h"

struct n3t_slice;

/**
 * struct n3t_anchor_totals - running totals of the anchors of a plan
 * @plan: the plan
 * @slots: number of checkpoints kept
 * @words: u64 words of a checkpoint
 * @between: slices from one checkpoint to the next
 * @until_next: slices until the next checkpoint
 * @now: the totals up to the newest slice
 * @checkpoint: past totals, one every @between slices
 */
struct n3t_anchor_totals {
	const struct n3t_plan *plan;
	unsigned int slots;
	unsigned int words;
	unsigned int between;
	unsigned int until_next;
	u64 *now;
	u64 *checkpoint;
};

/**
 * struct n3t_anchor_sums - totals of the anchors in a window
 * @count: the counts
 * @time_ns: time that they cover; 0 for an anchor that was not counted
 */
struct n3t_anchor_sums {
	u64 count[N3T_MAX_ANCHORS];
	u64 time_ns[N3T_MAX_ANCHORS];
};

size_t n3t_anchors_bytes(const struct n3t_plan *plan, unsigned int slices);
void n3t_anchors_init(struct n3t_anchor_totals *totals, void *memory, const struct n3t_plan *plan,
		      unsigned int slices);
void n3t_anchors_add(struct n3t_anchor_totals *totals, const struct n3t_slice *slice);
void n3t_anchors_sums(const struct n3t_anchor_totals *totals, u64 since_ns,
		      struct n3t_anchor_sums *sums);

#endif /* _N3T_ANCHORS_H */
