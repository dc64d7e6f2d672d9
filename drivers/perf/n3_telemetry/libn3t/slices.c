// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Slices: a ring of running sums per set. A window is the difference of two entries.
 *
 * An entry does not hold the counts of its slice but the sums over all slices of its set
 * so far. So a window costs two entries, regardless of the number of its slices:
 * the newest, and the last that ended before the window, found by bisection. All
 * sums are modulo 2^64, their differences are exact. A single slice is the
 * difference of two consecutive entries; a dropped one adds nothing.
 *
 * The CPU's sampler is the only writer. Neither it nor readers on any CPU take a
 * lock: a reader copies an entry and then checks that the writer cannot have wrapped
 * around to it.
 */
#include <linux/bitmap.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/minmax.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <asm/barrier.h>
#include <kunit/visibility.h>

#include "libn3t/core.h"
#include "libn3t/plan.h"
#include "libn3t/slices.h"

/*
 * Words of an entry.
 * @ENTRY_END_NS: end of the slice
 * @ENTRY_TAG: index of the slice on the CPU, dropped slices of the set so far, its state
 * @ENTRY_TIME_NS: sum of the times of the set's kept slices, as are all words below
 * @ENTRY_MIDDLES_NS: sum of their middles
 * @ENTRY_CYCLES: sum of CPU_CYCLES
 * @ENTRY_COUNTS: sums of the counts, in the order of the set's events
 */
enum {
	ENTRY_END_NS,
	ENTRY_TAG,
	ENTRY_TIME_NS,
	ENTRY_MIDDLES_NS,
	ENTRY_CYCLES,
	ENTRY_COUNTS,
	ENTRY_MAX_WORDS = ENTRY_COUNTS + N3T_MAX_COUNTERS,
};

/* Enough for 250 slices a second for 139 years, and for four hours of them in a ring. */
#define STATE_BITS	2
#define DROPPED_BITS	22
#define INDEX_BITS	40
#define STATE_MASK	((1u << STATE_BITS) - 1)
#define DROPPED_MASK	((1u << DROPPED_BITS) - 1)

#define SPARE_SLOTS	6	/* see slots_of() */

static_assert(N3T_NR_SLICE_STATES <= 1 << STATE_BITS);
static_assert(STATE_BITS + DROPPED_BITS + INDEX_BITS == 64);

static u64 tag_of(u64 index, u64 dropped, enum n3t_slice_state state)
{
	return index << (DROPPED_BITS + STATE_BITS) | (dropped & DROPPED_MASK) << STATE_BITS |
	       state;
}

static u64 index_in(u64 tag)
{
	return tag >> (DROPPED_BITS + STATE_BITS);
}

static u64 dropped_in(u64 tag)
{
	return tag >> STATE_BITS & DROPPED_MASK;
}

static enum n3t_slice_state state_in(u64 tag)
{
	return tag & STATE_MASK;
}

/*
 * Number of entries for a window: Topdown_L1 has every other slice, each other set
 * one per rotation, anywhere in it. Plus one entry before the window, one being
 * written, and two in reserve for slow readers and windows longer by a slice.
 */
static unsigned int slots_of(const struct n3t_plan *plan, unsigned int set, unsigned int slices)
{
	unsigned int rotation = n3t_plan_rotation(plan);
	unsigned int per_rotation = 1;

	if ((int)set == plan->l1_set && rotation > 1)
		per_rotation = rotation / 2;
	return slices * per_rotation / rotation + SPARE_SLOTS;
}

static size_t entries_bytes(const struct n3t_plan *plan, unsigned int set, unsigned int slices)
{
	size_t words = ENTRY_COUNTS + plan->set[set].nr;

	return slots_of(plan, set, slices) * words * sizeof(u64);
}

/* A slice has a count for every counter in use, even if its set needs fewer. */
static size_t slice_bytes(const struct n3t_plan *plan)
{
	return offsetof(struct n3t_slice, count) + plan->budget * sizeof(u64);
}

/* No set has more counts than there are counters in use. */
static unsigned int sum_words(const struct n3t_plan *plan)
{
	return offsetof(struct n3t_set_sum, count) / sizeof(u64) + plan->budget;
}

/* Size of a ring with @slices of all sets in a window. */
size_t n3t_ring_bytes(const struct n3t_plan *plan, unsigned int slices)
{
	size_t bytes = sizeof(u64) + slice_bytes(plan) +
		       plan->nr_sets * sizeof(struct n3t_ring_set);
	unsigned int i;

	for (i = 0; i < plan->nr_sets; i++)
		bytes += entries_bytes(plan, i, slices);
	return bytes;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ring_bytes);

/**
 * n3t_ring_init() - initialize an empty ring
 * @ring: the ring
 * @memory: n3t_ring_bytes() of memory, aligned for a u64; the caller keeps ownership
 * @plan: the plan in use
 * @slices: number of slices of all sets in a window
 *
 * Context: Any, as long as @ring has no users.
 */
void n3t_ring_init(struct n3t_ring *ring, void *memory, const struct n3t_plan *plan,
		   unsigned int slices)
{
	unsigned int i;

	/* The entry before the first has all sums 0. */
	memset(memory, 0, n3t_ring_bytes(plan, slices));
	ring->nr_sets = plan->nr_sets;
	ring->sum_words = sum_words(plan);
	ring->slices = memory;
	ring->set = memory + sizeof(u64);
	ring->slice = (void *)&ring->set[plan->nr_sets];
	memory = (void *)ring->slice + slice_bytes(plan);
	for (i = 0; i < plan->nr_sets; i++) {
		struct n3t_ring_set *set = &ring->set[i];

		set->nr = plan->set[i].nr;
		set->words = ENTRY_COUNTS + set->nr;
		set->slots = slots_of(plan, i, slices);
		set->entry = memory;
		memory += entries_bytes(plan, i, slices);
	}
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ring_init);

/**
 * n3t_ring_begin() - get the next slice to fill in
 * @ring: the ring
 *
 * Fill it in, then call n3t_ring_commit(). Until then it is private to the writer.
 *
 * Context: Only the writer, interrupts included.
 * Return: the slice, with room for as many counts as the budget.
 */
struct n3t_slice *n3t_ring_begin(struct n3t_ring *ring)
{
	return ring->slice;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ring_begin);

/**
 * n3t_ring_correct() - subtract CPU_CYCLES from counts that include them
 * @ring: the ring
 * @set: set of the slice from n3t_ring_begin(), which is complete
 *
 * For CPUs with n3t_core_overcounts(). No count becomes negative; what STALL_SLOT of
 * kept slices, or the two events that it is the sum of, would lack is added up for the
 * comparison with uncorrected counts.
 *
 * Context: Only the writer, interrupts included.
 */
void n3t_ring_correct(struct n3t_ring *ring, const struct n3t_set *set)
{
	struct n3t_slice *slice = ring->slice;
	u64 clipped = 0, subtracted;
	unsigned int i;

	if (slice->state != N3T_SLICE_KEPT)
		return;
	for (i = 0; i < set->nr; i++) {
		if (!n3t_event_overcounts(set->code[i]))
			continue;
		subtracted = min(slice->count[i], slice->cycles);
		slice->count[i] -= subtracted;
		if (set->slots & 1u << i)
			clipped += slice->cycles - subtracted;
	}
	if (clipped)
		WRITE_ONCE(ring->set[slice->set].clipped,
			   ring->set[slice->set].clipped + clipped);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ring_correct);

static void add_slice(const struct n3t_ring_set *set, u64 *to, const u64 *from,
		      const struct n3t_slice *slice)
{
	unsigned int i, nr = set->nr;

	if (slice->state != N3T_SLICE_KEPT) {
		for (i = ENTRY_TIME_NS; i < set->words; i++)
			to[i] = from[i];
		return;
	}

	to[ENTRY_TIME_NS] = from[ENTRY_TIME_NS] + slice->time_ns;
	to[ENTRY_MIDDLES_NS] = from[ENTRY_MIDDLES_NS] + slice->end_ns - slice->time_ns / 2;
	to[ENTRY_CYCLES] = from[ENTRY_CYCLES] + slice->cycles;
	for (i = 0; i < nr; i++)
		to[ENTRY_COUNTS + i] = from[ENTRY_COUNTS + i] + slice->count[i];
}

/**
 * n3t_ring_commit() - publish the slice from n3t_ring_begin()
 * @ring: the ring; ignores slices of sets that it does not have
 *
 * Context: Only the writer, interrupts included.
 */
void n3t_ring_commit(struct n3t_ring *ring)
{
	const struct n3t_slice *slice = ring->slice;
	struct n3t_ring_set *set;
	u64 *from, *to;

	if (slice->set >= ring->nr_sets)
		return;

	set = &ring->set[slice->set];
	to = set->entry + set->next * set->words;
	from = (set->next ? to : set->entry + set->slots * set->words) - set->words;
	if (slice->state != N3T_SLICE_KEPT)
		WRITE_ONCE(set->dropped, set->dropped + 1);

	/*
	 * Make the head that gave this entry to the writer visible before any store
	 * to the entry. Pairs with smp_rmb() in is_intact().
	 */
	smp_wmb();
	to[ENTRY_END_NS] = slice->end_ns;
	to[ENTRY_TAG] = tag_of(*ring->slices, set->dropped, slice->state);
	add_slice(set, to, from, slice);
	if (++set->next == set->slots)
		set->next = 0;

	/*
	 * Make the entry visible before the head that includes it. Pairs with
	 * smp_load_acquire() in head_of().
	 */
	smp_store_release(&set->head, set->head + 1);
	/* And the slice before the number that includes it: see n3t_ring_newest(). */
	smp_store_release(ring->slices, *ring->slices + 1);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ring_commit);

static u64 head_of(const struct n3t_ring_set *set)
{
	/* Pairs with smp_store_release() in n3t_ring_commit(). */
	return smp_load_acquire(&set->head);
}

static const u64 *entry_of(const struct n3t_ring_set *set, u64 number)
{
	return set->entry + number % set->slots * set->words;
}

/* Oldest readable slice: the entry before it belongs to the writer, or never existed. */
static u64 oldest_of(const struct n3t_ring_set *set, u64 head)
{
	return head < set->slots ? 0 : head - set->slots + 1;
}

/* Sums before the first slice of a set. */
static const u64 no_slices[ENTRY_MAX_WORDS];

/* The preceding entry: sums without slice @number. */
static const u64 *before_of(const struct n3t_ring_set *set, u64 number)
{
	return number ? entry_of(set, number - 1) : no_slices;
}

/*
 * Were the entry before slice @number and all later ones intact when they were read?
 * The writer may overwrite them at any time; the data is then discarded.
 */
static bool is_intact(const struct n3t_ring_set *set, u64 number)
{
	/*
	 * If any load saw a later slice, the load below sees the head that gave that entry
	 * to the writer. Pairs with smp_wmb() in n3t_ring_commit().
	 */
	smp_rmb();
	return READ_ONCE(set->head) - (number ? number - 1 : 0) < set->slots;
}

/**
 * n3t_entries_search() - find an entry of a ring
 * @word: word of the first entry to search by; it never decreases from entry to entry
 * @slots: number of entries
 * @words: u64 words of each
 * @bound: value that the word must reach
 * @from: number of the oldest candidate
 * @to: number of the first entry not yet written
 *
 * Entries overwritten meanwhile appear newer than they were: the result is then too
 * small, and the entry before it can no longer be read.
 *
 * Context: Any CPU, any context; needs no lock. The writer may add entries meanwhile.
 * Return: the first entry from @from on whose word is not below @bound; @to if none.
 */
u64 n3t_entries_search(const u64 *word, unsigned int slots, unsigned int words, u64 bound,
		       u64 from, u64 to)
{
	while (from < to) {
		u64 middle = from + (to - from) / 2;

		/* May be overwritten meanwhile: see above. */
		if (data_race(READ_ONCE(word[middle % slots * words])) < bound)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static u64 search(const struct n3t_ring_set *set, unsigned int word, u64 bound, u64 from, u64 to)
{
	return n3t_entries_search(&set->entry[word], set->slots, set->words, bound, from, to);
}

/* To be called under data_race(): false if the copy must be discarded. */
static bool take_slice(const struct n3t_ring_set *set, u64 number, struct n3t_slice *slice)
{
	const u64 *entry = entry_of(set, number), *before = before_of(set, number);
	unsigned int i, nr = set->nr;

	slice->end_ns = entry[ENTRY_END_NS];
	slice->state = state_in(entry[ENTRY_TAG]);
	slice->time_ns = entry[ENTRY_TIME_NS] - before[ENTRY_TIME_NS];
	slice->cycles = entry[ENTRY_CYCLES] - before[ENTRY_CYCLES];
	for (i = 0; i < nr; i++)
		slice->count[i] = entry[ENTRY_COUNTS + i] - before[ENTRY_COUNTS + i];
	return is_intact(set, number);
}

/* Copy slice @number of a set; false if it is no longer held. */
static bool read_slice(const struct n3t_ring *ring, unsigned int set, u64 number,
		       struct n3t_slice *slice)
{
	memset(slice, 0, sizeof(*slice));
	slice->set = set;
	/* The writer may have reached the entry; the copy is then rejected. */
	return data_race(take_slice(&ring->set[set], number, slice));
}

/* Find a slice of the CPU among those of a set. */
static bool find_slice(const struct n3t_ring *ring, unsigned int nr, u64 index,
		       struct n3t_slice *slice)
{
	const struct n3t_ring_set *set = &ring->set[nr];
	u64 head, number, tag;

	/* The writer may overwrite entries that the search visits, but not its target. */
	do {
		head = head_of(set);
		number = search(set, ENTRY_TAG, tag_of(index, 0, 0), oldest_of(set, head), head);
		if (number == head)
			return false;
		/* Discarded if the slice is rejected. */
		tag = data_race(READ_ONCE(entry_of(set, number)[ENTRY_TAG]));
		if (read_slice(ring, nr, number, slice))
			return index_in(tag) == index;
	} while (head_of(set) != head);
	return false;
}

/**
 * n3t_ring_read() - copy one slice
 * @ring: the ring
 * @index: index of the slice, from 0 for the first slice ever
 * @slice: the copy; counts beyond those of its set are 0, and all counts of a dropped one
 *
 * Context: Any CPU, any context; needs no lock and never waits.
 * Return: true if @slice is complete; false if @index is not written yet or no
 * longer held, which leaves @slice undefined.
 */
bool n3t_ring_read(const struct n3t_ring *ring, u64 index, struct n3t_slice *slice)
{
	unsigned int i;

	/* Pairs with smp_store_release() in n3t_ring_commit(). */
	if (index >= smp_load_acquire(ring->slices))
		return false;
	for (i = 0; i < ring->nr_sets; i++)
		if (find_slice(ring, i, index, slice))
			return true;
	return false;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ring_read);

/* Copies the newest slice, as n3t_ring_read(); false if there has been no slice yet. */
bool n3t_ring_newest(const struct n3t_ring *ring, u64 *index, struct n3t_slice *slice)
{
	u64 slices;

	/* Fails only if the writer has wrapped around meanwhile: retry. */
	do {
		/* Pairs with smp_store_release() in n3t_ring_commit(). */
		slices = smp_load_acquire(ring->slices);
		if (!slices)
			return false;
	} while (!n3t_ring_read(ring, slices - 1, slice));

	*index = slices - 1;
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ring_newest);

/* Find a kept slice from number @from on, in steps of @step; false if it is no longer held. */
static bool take_kept(const struct n3t_ring_set *set, u64 from, int step, struct n3t_slice *slice)
{
	do {
		/* The writer may have reached the entry; the copy is then rejected. */
		if (!data_race(take_slice(set, from, slice)))
			return false;
		from += step;
	} while (slice->state != N3T_SLICE_KEPT);
	return true;
}

/**
 * n3t_ring_edges() - copy the first and the last slice of a sum
 * @ring: the ring
 * @set: the set
 * @sum: its sum
 * @first: the first kept slice; counts beyond those of the set are left alone
 * @last: likewise the last one
 *
 * Context: Any CPU, any context; needs no lock.
 * Return: false if there is none, or the first is no longer held.
 */
bool n3t_ring_edges(const struct n3t_ring *ring, unsigned int set, const struct n3t_set_sum *sum,
		    struct n3t_slice *first, struct n3t_slice *last)
{
	first->set = set;
	last->set = set;
	return sum->slices && take_kept(&ring->set[set], sum->first, 1, first) &&
	       take_kept(&ring->set[set], sum->end - 1, -1, last);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ring_edges);

/* Sums over slices from @sum->first up to the one before @sum->end; under data_race(). */
static bool take_sum(const struct n3t_ring_set *set, struct n3t_set_sum *sum)
{
	const u64 *entry = entry_of(set, sum->end - 1), *before = before_of(set, sum->first);
	unsigned int i, nr = set->nr;

	sum->dropped = dropped_in(entry[ENTRY_TAG]) - dropped_in(before[ENTRY_TAG]);
	sum->dropped &= DROPPED_MASK;
	sum->slices = sum->end - sum->first - sum->dropped;
	sum->time_ns = entry[ENTRY_TIME_NS] - before[ENTRY_TIME_NS];
	sum->middles_ns = entry[ENTRY_MIDDLES_NS] - before[ENTRY_MIDDLES_NS];
	sum->cycles = entry[ENTRY_CYCLES] - before[ENTRY_CYCLES];
	sum->clipped = 0;
	for (i = 0; i < nr; i++)
		sum->count[i] = entry[ENTRY_COUNTS + i] - before[ENTRY_COUNTS + i];
	/* Without an entry before the first, only the last was read. */
	return is_intact(set, sum->first ?: sum->end);
}

/*
 * Sum up the slices of a set that ended in a window, as far as they are held. The oldest
 * entry held only serves as the base for the next.
 */
static void sum_since(const struct n3t_ring_set *set, u64 since_ns, struct n3t_set_sum *sum)
{
	u64 oldest, end;

	/* Fails only if the writer has wrapped around meanwhile: retry. */
	do {
		end = head_of(set);
		oldest = oldest_of(set, end);
		sum->end = end;
		sum->first = search(set, ENTRY_END_NS, since_ns, oldest ? oldest + 1 : 0, end);
		if (sum->first == end) {
			memset(sum, 0, offsetof(struct n3t_set_sum, count) + set->nr * sizeof(u64));
			sum->first = end;
			sum->end = end;
			return;
		}
		/* The writer may have reached the first; the sum is then rejected. */
	} while (!data_race(take_sum(set, sum)));
}

/* Sums of a set over the slices that ended since; counts beyond those of the set are left alone. */
void n3t_ring_sum(const struct n3t_ring *ring, unsigned int set, u64 since_ns,
		  struct n3t_set_sum *sum)
{
	sum_since(&ring->set[set], since_ns, sum);
}

/* Sums up all slices of a set; counts beyond those of the set are left alone. */
static void sum_all(const struct n3t_ring_set *set, struct n3t_set_sum *sum)
{
	sum->first = 0;
	/* Fails only if the writer has wrapped around meanwhile: retry. */
	do {
		sum->end = head_of(set);
		if (!sum->end) {
			memset(sum, 0, offsetof(struct n3t_set_sum, count) + set->nr * sizeof(u64));
			return;
		}
		/* As in sum_since(). */
	} while (!data_race(take_sum(set, sum)));

	sum->clipped = READ_ONCE(set->clipped);
	/* An entry has only the low bits; the full count is at least as large by now. */
	sum->slices = READ_ONCE(set->dropped);
	sum->dropped = sum->slices - ((sum->slices - sum->dropped) & DROPPED_MASK);
	sum->slices = sum->end - sum->dropped;
}

/**
 * n3t_ring_total() - sums of a set over all its slices
 * @ring: the ring
 * @set: the set
 * @total: the sums; counts beyond those of the set are 0
 *
 * Context: Any CPU, any context; needs no lock.
 * Return: true, or false if the set does not exist, with @total unchanged.
 */
bool n3t_ring_total(const struct n3t_ring *ring, unsigned int set, struct n3t_set_sum *total)
{
	unsigned int nr;

	if (set >= ring->nr_sets)
		return false;

	nr = ring->set[set].nr;
	sum_all(&ring->set[set], total);
	memset(&total->count[nr], 0, (N3T_MAX_COUNTERS - nr) * sizeof(u64));
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ring_total);

/* Adds the sums of slices before @head to @span; to be called under data_race(). */
static bool take_span(const struct n3t_ring_set *set, u64 head, struct n3t_ring_span *span)
{
	const u64 *entry;

	if (!head)
		return true;
	entry = entry_of(set, head - 1);
	span->end_ns = max(span->end_ns, entry[ENTRY_END_NS]);
	span->time_ns += entry[ENTRY_TIME_NS];
	span->cycles += entry[ENTRY_CYCLES];
	return is_intact(set, head);
}

static u64 count_slices(const struct n3t_ring *ring)
{
	u64 slices = 0;
	unsigned int i;

	for (i = 0; i < ring->nr_sets; i++)
		slices += head_of(&ring->set[i]);
	return slices;
}

/**
 * n3t_ring_span() - time and cycles of all sets up to one slice
 * @ring: the ring
 * @span: the sums, all 0 before the first slice
 *
 * The sums and the end are those of one moment: no head has changed meanwhile.
 *
 * Context: Any CPU, any context; needs no lock, repeats only if a slice ended meanwhile.
 */
void n3t_ring_span(const struct n3t_ring *ring, struct n3t_ring_span *span)
{
	u64 slices, seen, head;
	unsigned int i;
	bool intact;

	do {
		memset(span, 0, sizeof(*span));
		slices = count_slices(ring);
		seen = 0;
		intact = true;
		for (i = 0; i < ring->nr_sets; i++) {
			head = head_of(&ring->set[i]);
			seen += head;
			/* The writer may have reached the entry; the sums are then rejected. */
			intact &= data_race(take_span(&ring->set[i], head, span));
		}
	} while (!intact || seen != slices);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ring_span);

/* Size of a window, a multiple of 8. */
size_t n3t_window_bytes(const struct n3t_plan *plan)
{
	return sizeof(struct n3t_window) + plan->nr_sets * sum_words(plan) * sizeof(u64);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_window_bytes);

/* Starts a window at @since_ns, in n3t_window_bytes() of memory. */
void n3t_window_init(struct n3t_window *window, const struct n3t_ring *ring, u64 since_ns)
{
	memset(window, 0, sizeof(*window));
	window->ring = ring;
	window->since_ns = since_ns;
	window->nr_sets = ring->nr_sets;
	window->sum_words = ring->sum_words;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_window_init);

/* Makes a complete window of all slices since the start of a run; needs no lock. */
void n3t_window_of_run(struct n3t_window *window, const struct n3t_ring *ring)
{
	unsigned int i;

	n3t_window_init(window, ring, 0);
	window->ring = NULL;
	for (i = 0; i < window->nr_sets; i++) {
		sum_all(&ring->set[i], n3t_window_sum(window, i));
		window->cycles += n3t_window_sum(window, i)->cycles;
	}
	window->complete = true;
}

/* Computes the sums of one set, as n3t_window_set() does. */
void n3t_window_sum_up(struct n3t_window *window, unsigned int set)
{
	n3t_ring_sum(window->ring, set, window->since_ns, n3t_window_sum(window, set));
	__set_bit(set, window->summed);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_window_sum_up);

/* Sums up all sets, and their cycles, as n3t_window_set() does. */
void n3t_window_complete(struct n3t_window *window)
{
	unsigned int i;

	if (!window->ring || window->complete)
		return;
	for (i = 0; i < window->nr_sets; i++)
		window->cycles += n3t_window_set(window, i)->cycles;
	window->complete = true;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_window_complete);

/* The sums of a set by event, as input for a formula. */
void n3t_set_counts(const struct n3t_set *set, const struct n3t_set_sum *sum,
		    struct n3t_counts *counts)
{
	counts->cycles = sum->cycles;
	counts->nr = set->nr;
	memcpy(counts->code, set->code, set->nr * sizeof(set->code[0]));
	memcpy(counts->count, sum->count, set->nr * sizeof(sum->count[0]));
}
EXPORT_SYMBOL_IF_KUNIT(n3t_set_counts);
