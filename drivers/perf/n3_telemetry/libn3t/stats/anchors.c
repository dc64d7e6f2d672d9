// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What anchors counted over a whole window, whatever set was counted with them.
 *
 * The sampler adds up each anchor, and the time in which it was counted, over all slices
 * whose set has it. What a window had is the difference of two totals: those up to
 * the newest slice, and those at the start of the window. Of these some hundred are
 * kept, and what is between two is interpolated.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <asm/barrier.h>
#include <kunit/visibility.h>

#include "libn3t/stats/anchors.h"
#include "libn3t/slices.h"
#include "libn3t/wide.h"

#define CHECKPOINTS	100	/* of a window, about */
#define SPARE_SLOTS	4	/* the writer's, one before the window, two for late readers */

/*
 * The words of totals.
 * @NUMBER: of checkpoints so far
 * @END_NS: when the newest slice ended
 * @TOTALS: for each anchor its time, then its count
 */
enum {
	NUMBER,
	END_NS,
	TOTALS,
	MAX_WORDS = TOTALS + 2 * N3T_MAX_ANCHORS,
};

/* How many slices there are from one checkpoint to the next. */
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

/**
 * n3t_anchors_bytes() - memory that the totals of a CPU need
 * @plan: its plan
 * @slices: of all sets, that a window holds
 *
 * Context: Any.
 * Return: the size in bytes; 0 without anchors.
 */
size_t n3t_anchors_bytes(const struct n3t_plan *plan, unsigned int slices)
{
	return (slots_for(slices) + 2) * words_for(plan) * sizeof(u64);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_anchors_bytes);

/**
 * n3t_anchors_init() - start with no slice
 * @totals: the totals
 * @memory: n3t_anchors_bytes() of memory, aligned for a u64; stays the caller's
 * @plan: the plan that slices are taken by
 * @slices: of all sets, that a window holds
 *
 * Context: Any. Not while anybody uses @totals.
 */
void n3t_anchors_init(struct n3t_anchor_totals *totals, void *memory, const struct n3t_plan *plan,
		      unsigned int slices)
{
	memset(memory, 0, n3t_anchors_bytes(plan, slices));
	seqcount_latch_init(&totals->latch);
	totals->plan = plan;
	totals->slots = slots_for(slices);
	totals->words = words_for(plan);
	totals->between = slices_between(slices);
	totals->until_next = totals->between;
	totals->now[0] = memory;
	totals->now[1] = totals->now[0] + totals->words;
	totals->checkpoint = totals->now[1] + totals->words;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_anchors_init);

static u64 *checkpoint_of(const struct n3t_anchor_totals *totals, u64 number)
{
	return totals->checkpoint + number % totals->slots * totals->words;
}

/*
 * Readers know of a checkpoint when they see its number; until then the entry is one that
 * they take for too old.
 */
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
 * @totals: of this CPU
 * @slice: the slice; ignored if it was not kept
 *
 * Context: The writer alone, interrupts included.
 */
void n3t_anchors_add(struct n3t_anchor_totals *totals, const struct n3t_slice *slice)
{
	u64 *now = totals->now[0];

	if (!totals->words || slice->state != N3T_SLICE_KEPT)
		return;

	/* Each step sends the readers to the bank that it does not change. */
	write_seqcount_latch_begin(&totals->latch);
	if (!now[END_NS]) {
		now[END_NS] = slice->end_ns - slice->time_ns;
		keep(totals, now);
	}
	add(totals, now, slice);
	if (!--totals->until_next)
		keep(totals, now);
	write_seqcount_latch(&totals->latch);
	memcpy(totals->now[1], now, totals->words * sizeof(*now));
	write_seqcount_latch_end(&totals->latch);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_anchors_add);

/* @a * @part / @whole, where @part is not larger */
static u64 part_of(u64 a, u64 part, u64 whole)
{
	unsigned __int128 product = (unsigned __int128)a * part;
	u64 rem;

	return part < whole ? wide_div_word(product >> 64, product, whole, &rem) : a;
}

/* What @to has beyond @from, and beyond what is before @since_ns on the way to @next. */
static void subtract(const struct n3t_anchor_totals *totals, const u64 *from, const u64 *next,
		     u64 since_ns, u64 *to)
{
	u64 length_ns = next[END_NS] - from[END_NS];
	u64 share_ns = max(since_ns, from[END_NS]) - from[END_NS];
	unsigned int i;

	for (i = TOTALS; i < totals->words; i++)
		to[i] -= from[i] + part_of(next[i] - from[i], share_ns, length_ns);
}

/* False if the writer has reached what was read. */
static bool take_since(const struct n3t_anchor_totals *totals, u64 since_ns, u64 *now)
{
	u64 from[MAX_WORDS], next[MAX_WORDS], number, oldest;
	size_t bytes = totals->words * sizeof(*now);
	unsigned int seq;

	do {
		seq = read_seqcount_latch(&totals->latch);
		memcpy(now, totals->now[seq & 1], bytes);
	} while (read_seqcount_latch_retry(&totals->latch, seq));
	if (!now[NUMBER])
		return true;

	oldest = now[NUMBER] < totals->slots ? 0 : now[NUMBER] - totals->slots + 1;
	number = n3t_entries_search(&totals->checkpoint[END_NS], totals->slots, totals->words,
				    since_ns, oldest, now[NUMBER]);
	number -= number > oldest;
	/* Not used if the writer has got there. */
	data_race(memcpy(from, checkpoint_of(totals, number), bytes));
	if (number + 1 < now[NUMBER])
		/* nor is this */
		data_race(memcpy(next, checkpoint_of(totals, number + 1), bytes));
	else
		memcpy(next, now, bytes);
	subtract(totals, from, next, min(since_ns, next[END_NS]), now);
	/* Pairs with the barriers of the latch: what was overwritten before is counted now. */
	smp_rmb();
	return READ_ONCE(totals->now[0][NUMBER]) - number < totals->slots;
}

/**
 * n3t_anchors_since() - what anchors counted in a window
 * @totals: of a CPU
 * @since_ns: start of the window, which ends with the newest slice
 * @means: the answer; all 0 for an anchor that was not counted
 *
 * Context: Any CPU, any context; needs no lock and never waits for the writer.
 */
void n3t_anchors_since(const struct n3t_anchor_totals *totals, u64 since_ns,
		       struct n3t_anchor_means *means)
{
	u64 now[MAX_WORDS] = {};
	unsigned int i;

	memset(means, 0, sizeof(*means));
	means->between = totals->between;
	if (!totals->words)
		return;
	/* Fails only if the writer wrapped around to it meanwhile: retry. */
	while (!take_since(totals, since_ns, now))
		;
	for (i = 0; i < totals->plan->nr_anchors; i++) {
		u64 time_ns = now[TOTALS + 2 * i];

		means->time_ns[i] = time_ns;
		if (time_ns)
			means->per_ns[i] = n3t_real_div(n3t_real_count(now[TOTALS + 2 * i + 1]),
							n3t_real_count(time_ns));
	}
}
EXPORT_SYMBOL_IF_KUNIT(n3t_anchors_since);
