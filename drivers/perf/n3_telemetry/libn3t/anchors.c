// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Totals of the anchors over a whole window, across all sets.
 *
 * For each anchor the sampler sums up the counts, and the time counted, of all slices
 * whose set includes it. The amount in a window is the difference of two totals: that at
 * the newest slice and that at the start of the window. About a hundred past totals are
 * kept; the start of the window is interpolated between two of them.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <kunit/visibility.h>

#include "libn3t/slices.h"
#include "libn3t/anchors.h"
#include "libn3t/wide.h"

#define CHECKPOINTS	100	/* per window, approximately */
#define SPARE_SLOTS	3	/* one being written, one before the window, one in between */

/*
 * Words of a totals entry.
 * @NUMBER: number of checkpoints so far
 * @END_NS: end of the newest slice
 * @TOTALS: for each anchor its time, then its count
 */
enum {
	NUMBER,
	END_NS,
	TOTALS,
	MAX_WORDS = TOTALS + 2 * N3T_MAX_ANCHORS,
};

/* Number of slices from one checkpoint to the next. */
static unsigned int slices_between(unsigned int slices)
{
	return DIV_ROUND_UP(slices, CHECKPOINTS);
}

static unsigned int slots_for(unsigned int slices)
{
	return slices / slices_between(slices) + SPARE_SLOTS;
}

static unsigned int words_for(const struct n3t_plan *plan)
{
	return plan->nr_anchors ? TOTALS + 2 * plan->nr_anchors : 0;
}

/* Size of the totals of a CPU, with @slices of all sets in a window; 0 without anchors. */
size_t n3t_anchors_bytes(const struct n3t_plan *plan, unsigned int slices)
{
	return (slots_for(slices) + 1) * words_for(plan) * sizeof(u64);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_anchors_bytes);

/**
 * n3t_anchors_init() - initialize totals without slices
 * @totals: the totals
 * @memory: n3t_anchors_bytes() of memory, aligned for a u64; the caller keeps ownership
 * @plan: the plan in use
 * @slices: number of slices of all sets in a window
 *
 * Context: Any, as long as @totals has no users.
 */
void n3t_anchors_init(struct n3t_anchor_totals *totals, void *memory, const struct n3t_plan *plan,
		      unsigned int slices)
{
	memset(memory, 0, n3t_anchors_bytes(plan, slices));
	totals->plan = plan;
	totals->slots = slots_for(slices);
	totals->words = words_for(plan);
	totals->between = slices_between(slices);
	totals->until_next = totals->between;
	totals->now = memory;
	totals->checkpoint = totals->now + totals->words;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_anchors_init);

static u64 *checkpoint_of(const struct n3t_anchor_totals *totals, u64 number)
{
	return totals->checkpoint + number % totals->slots * totals->words;
}

static void keep(struct n3t_anchor_totals *totals, u64 *now)
{
	memcpy(checkpoint_of(totals, now[NUMBER]), now, totals->words * sizeof(*now));
	now[NUMBER]++;
	totals->until_next = totals->between;
}

static void add(struct n3t_anchor_totals *totals, u64 *now, const struct n3t_slice *slice)
{
	const struct n3t_plan *plan = totals->plan;
	const u8 *at = plan->set[slice->set].anchor;
	unsigned int i;

	now[END_NS] = slice->end_ns;
	for (i = 0; i < plan->nr_anchors; i++) {
		if (at[i] == N3T_NO_ANCHOR)
			continue;
		now[TOTALS + 2 * i] += slice->time_ns;
		now[TOTALS + 2 * i + 1] += slice->count[at[i]];
	}
}

/**
 * n3t_anchors_add() - add a slice to the totals
 * @totals: totals of this CPU
 * @slice: the slice; ignored if it was not kept
 *
 * Context: Only the writer, interrupts included, preemption disabled; after n3t_covariance_add()
 * and before n3t_ring_commit() of the same slice, by which readers notice the change.
 */
void n3t_anchors_add(struct n3t_anchor_totals *totals, const struct n3t_slice *slice)
{
	u64 *now = totals->now;

	if (!totals->words || slice->state != N3T_SLICE_KEPT)
		return;

	if (!now[END_NS]) {
		now[END_NS] = slice->end_ns - slice->time_ns;
		keep(totals, now);
	}
	add(totals, now, slice);
	if (!--totals->until_next)
		keep(totals, now);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_anchors_add);

/* @a * @part / @whole, for @part <= @whole */
static u64 part_of(u64 a, u64 part, u64 whole)
{
	unsigned __int128 product = (unsigned __int128)a * part;
	u64 rem;

	return part < whole ? wide_div_word(product >> 64, product, whole, &rem) : a;
}

/* Subtract @from and the interpolated part up to @since_ns, on the way to @next, from @to. */
static void subtract(const struct n3t_anchor_totals *totals, const u64 *from, const u64 *next,
		     u64 since_ns, u64 *to)
{
	u64 length_ns = next[END_NS] - from[END_NS];
	u64 share_ns = max(since_ns, from[END_NS]) - from[END_NS];
	unsigned int i;

	for (i = TOTALS; i < totals->words; i++)
		to[i] -= from[i] + part_of(next[i] - from[i], share_ns, length_ns);
}

static void take_since(const struct n3t_anchor_totals *totals, u64 since_ns, u64 *now)
{
	u64 from[MAX_WORDS], next[MAX_WORDS], number, oldest;
	size_t bytes = totals->words * sizeof(*now);

	/* put_anchors() discards what the writer has changed. */
	data_race(memcpy(now, totals->now, bytes));
	if (!now[NUMBER])
		return;

	oldest = now[NUMBER] < totals->slots ? 0 : now[NUMBER] - totals->slots + 1;
	number = n3t_entries_search(&totals->checkpoint[END_NS], totals->slots, totals->words,
				    since_ns, oldest, now[NUMBER]);
	number -= number > oldest;
	/* likewise */
	data_race(memcpy(from, checkpoint_of(totals, number), bytes));
	/* likewise */
	data_race(memcpy(next, number + 1 < now[NUMBER] ? checkpoint_of(totals, number + 1) : now,
			 bytes));
	subtract(totals, from, next, min(since_ns, next[END_NS]), now);
}

/**
 * n3t_anchors_sums() - totals of the anchors in a window
 * @totals: totals of a CPU
 * @since_ns: start of the window, which ends with the newest slice
 * @sums: the result
 *
 * Context: Any CPU, not where it may interrupt the sampler; needs no lock. The caller discards
 * the result if the sampler has added a slice meanwhile.
 */
void n3t_anchors_sums(const struct n3t_anchor_totals *totals, u64 since_ns,
		      struct n3t_anchor_sums *sums)
{
	u64 now[MAX_WORDS] = {};
	unsigned int i;

	memset(sums, 0, sizeof(*sums));
	if (!totals->words)
		return;
	take_since(totals, since_ns, now);
	for (i = 0; i < totals->plan->nr_anchors; i++) {
		sums->time_ns[i] = now[TOTALS + 2 * i];
		sums->count[i] = now[TOTALS + 2 * i + 1];
	}
}
EXPORT_SYMBOL_IF_KUNIT(n3t_anchors_sums);
