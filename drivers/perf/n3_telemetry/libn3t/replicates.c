// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Replicates: totals of Topdown_L1 over eight random groups of slices.
 *
 * Each eight kept slices of Topdown_L1 are dealt to the eight replicates in random order, so
 * each replicate is a sample of the same load. The spread of a value over replicates
 * shows the error of the value from all of them, whatever its formula, and after
 * totals of CPUs or machines are added up. A dropped slice takes no turn: replicates differ by
 * a slice at most.
 */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <kunit/visibility.h>

#include "libn3t/random.h"
#include "libn3t/replicates.h"

/*
 * Slice i (field i from the low end) goes to replicate a * i + b in the field of eight
 * elements, x^3 + x + 1 = 0. These are a * i, for a from 1 to 7, with the bit that is always
 * set. Addition is exclusive or.
 */
static const u32 products[] = {
	0xfedcba98, 0xdf9beca8, 0xa9cfdeb8, 0x9daefbc8, 0xebfac9d8, 0xcabd9fe8, 0xbce9adf8,
};

#define IN_ALL_FIELDS	0x11111111u

/**
 * n3t_replicates_order() - draw an order of eight slices
 * @random: state of n3t_random()
 *
 * Any two slices are equally likely to get any two replicates. That determines the mean of
 * the spread of replicates, which is therefore as with all 8! orders, at a tenth of the cost
 * of these.
 *
 * Return: the order.
 */
u32 n3t_replicates_order(u32 *random)
{
	u64 drawn = (u64)n3t_random(random) * ARRAY_SIZE(products);
	u32 fraction = drawn;

	return products[drawn >> 32] ^ (fraction >> 29) * IN_ALL_FIELDS;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_replicates_order);

static unsigned int words_of(const struct n3t_plan *plan)
{
	return N3T_REPLICATE_COUNTS + n3t_slots_counts(plan);
}

/* Size of the replicates of a run; 0 if Topdown_L1 is split, or has no counts. */
size_t n3t_replicates_bytes(const struct n3t_plan *plan)
{
	if (plan->l1_set == N3T_NO_SET || !n3t_slots_counts(plan))
		return 0;
	return offsetof(struct n3t_replicates, sums) +
	       N3T_NR_REPLICATES * words_of(plan) * sizeof(u64);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_replicates_bytes);

/**
 * n3t_replicates_init() - initialize replicates without slices
 * @replicates: n3t_replicates_bytes() of memory, more than 0, aligned for a u64
 * @plan: the plan in use
 * @seed: any number; a different one for each CPU
 */
void n3t_replicates_init(struct n3t_replicates *replicates, const struct n3t_plan *plan,
			 u32 seed)
{
	memset(replicates, 0, n3t_replicates_bytes(plan));
	seqcount_init(&replicates->changes);
	replicates->random = n3t_random_state(seed);
	replicates->words = words_of(plan);
	replicates->plan = plan;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_replicates_init);

static void read_sums(const struct n3t_replicates *replicates, unsigned int replicate,
		      struct n3t_set_sum *sum)
{
	const u64 *sums = &replicates->sums[replicate * replicates->words];
	size_t counts = replicates->words - N3T_REPLICATE_COUNTS;
	unsigned int seq;

	memset(sum, 0, sizeof(*sum));
	do {
		seq = read_seqcount_begin(&replicates->changes);
		sum->slices = sums[N3T_REPLICATE_SLICES];
		sum->cycles = sums[N3T_REPLICATE_CYCLES];
		memcpy(sum->count, &sums[N3T_REPLICATE_COUNTS], counts * sizeof(*sums));
	} while (read_seqcount_retry(&replicates->changes, seq));
}

/**
 * n3t_replicates_total() - add the replicates of a run
 * @totals: the totals
 * @replicates: the replicates of the run, or NULL
 *
 * The counts of each replicate are of one moment; another one may include a later slice.
 *
 * Context: Any CPU; not where it may interrupt the writer. Needs no lock; waits for the
 * writer while it adds a slice.
 * Return: a mask over enum n3t_slots of those that are counted.
 */
unsigned int n3t_replicates_total(struct n3t_replicate_totals *totals,
				  const struct n3t_replicates *replicates)
{
	struct n3t_set_sum sum;
	unsigned int i, has = 0;

	if (!replicates)
		return 0;
	for (i = 0; i < N3T_NR_REPLICATES; i++) {
		read_sums(replicates, i, &sum);
		totals->slices[i] += sum.slices;
		has = n3t_slots_add(totals->slots[i], replicates->plan, &sum);
	}
	totals->has_slots |= has;
	return has;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_replicates_total);
