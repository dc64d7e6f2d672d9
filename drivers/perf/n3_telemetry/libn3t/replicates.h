/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Replicates: totals of Topdown_L1 over eight random groups of slices. */
#ifndef _N3T_REPLICATES_H
#define _N3T_REPLICATES_H

#include <linux/seqlock.h>

#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/totals.h"

#define N3T_NR_REPLICATES	8

/* An order has a field for each slice: its replicate, and a bit that is always set. */
#define N3T_ORDER_BITS	4
#define N3T_ORDER_MASK	(N3T_NR_REPLICATES - 1)

/* Words of a replicate: number of slices; sums over these. */
enum {
	N3T_REPLICATE_SLICES,
	N3T_REPLICATE_CYCLES,
	N3T_REPLICATE_COUNTS,
};

/**
 * struct n3t_replicates - replicates of a run
 * @changes: odd while a slice is being added
 * @order: order of the next slices, 0 if there is none left
 * @random: state of the orders
 * @words: words of a replicate
 * @plan: plan of the run
 * @sums: the replicates
 */
struct n3t_replicates {
	seqcount_t changes;
	u32 order;
	u32 random;
	unsigned int words;
	const struct n3t_plan *plan;
	u64 sums[];
};

/**
 * struct n3t_replicate_totals - totals of each replicate, as those of struct n3t_totals
 * @slices: kept slices
 * @slots: totals of Topdown_L1
 * @has_slots: mask of those that were ever counted
 */
struct n3t_replicate_totals {
	u64 slices[N3T_NR_REPLICATES];
	u64 slots[N3T_NR_REPLICATES][N3T_NR_SLOTS];
	unsigned int has_slots;
};

size_t n3t_replicates_bytes(const struct n3t_plan *plan);
void n3t_replicates_init(struct n3t_replicates *replicates, const struct n3t_plan *plan,
			 u32 seed);
u32 n3t_replicates_order(u32 *random);
unsigned int n3t_replicates_total(struct n3t_replicate_totals *totals,
				  const struct n3t_replicates *replicates);

/**
 * n3t_replicates_add() - add a slice to the replicate whose turn it is
 * @replicates: replicates of the CPU, or NULL
 * @slice: the slice; ignored if it was not kept or is not one of Topdown_L1
 *
 * Inline, as it is part of every slice.
 *
 * Context: Only the writer, interrupts included; preemption disabled, as readers spin.
 */
static inline void n3t_replicates_add(struct n3t_replicates *replicates,
				      const struct n3t_slice *slice)
{
	const u64 *count = slice->count;
	u64 *to, *end;
	u32 order;

	/* Topdown_L1 is set 0. */
	if (!replicates || slice->set || slice->state != N3T_SLICE_KEPT)
		return;

	order = replicates->order ?: n3t_replicates_order(&replicates->random);
	replicates->order = order >> N3T_ORDER_BITS;
	to = replicates->sums + (order & N3T_ORDER_MASK) * replicates->words;
	end = to + replicates->words;
	/* Without lockdep: runs in interrupts on most CPUs, in a work item on others. */
	raw_write_seqcount_begin(&replicates->changes);
	(*to++)++;
	*to++ += slice->cycles;
	do {
		*to++ += *count++;
	} while (to < end);
	raw_write_seqcount_end(&replicates->changes);
}

#endif /* _N3T_REPLICATES_H */
