// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Slices: the ring of recent ones, the running totals, the sums over a window.
 *
 * The CPU's sampler is the only writer. Neither it nor readers on any CPU take a
 * lock: a reader of the ring copies a slice, then checks whether the writer may
 * have wrapped around to it; of the totals there are two banks, of which the
 * writer changes one at a time.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/seqlock.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <asm/barrier.h>
#include <kunit/visibility.h>

#include "plan.h"
#include "slices.h"

static struct n3t_slice *slot_of(const struct n3t_ring *ring, u64 index)
{
	return ring->slots + (size_t)(index & ring->mask) * ring->stride;
}

static unsigned int slot_bytes(unsigned int budget)
{
	return offsetof(struct n3t_slice, count) + budget * sizeof(u64);
}

/**
 * n3t_ring_bytes() - memory that the slots of a ring need
 * @slots: number of slots, a power of two
 * @budget: programmable counters, 1 to N3T_MAX_COUNTERS
 *
 * Context: Any.
 * Return: the size in bytes.
 */
size_t n3t_ring_bytes(unsigned int slots, unsigned int budget)
{
	return (size_t)slots * slot_bytes(budget);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ring_bytes);

/**
 * n3t_ring_init() - make an empty ring
 * @ring: the ring
 * @slots: n3t_ring_bytes() of memory, aligned for a u64; stays the caller's
 * @nr_slots: number of slots, a power of two, at least 2; one is the writer's
 * @budget: programmable counters, 1 to N3T_MAX_COUNTERS
 *
 * Context: Any. Not while anybody uses @ring.
 */
void n3t_ring_init(struct n3t_ring *ring, void *slots, unsigned int nr_slots, unsigned int budget)
{
	ring->mask = nr_slots - 1;
	ring->stride = slot_bytes(budget);
	ring->head = 0;
	ring->slots = slots;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ring_init);

/**
 * n3t_ring_begin() - the slot for the next slice
 * @ring: the ring
 *
 * It holds an old slice. Fill it in, then call n3t_ring_commit(); without that
 * the next call returns the same slot.
 *
 * Context: The writer alone, interrupts included.
 * Return: the slice to fill in. It has no more than the budget's counts.
 */
struct n3t_slice *n3t_ring_begin(struct n3t_ring *ring)
{
	/*
	 * The head that gave this slot to the writer is seen before anything
	 * that is written to it. Pairs with smp_rmb() in n3t_ring_read().
	 */
	smp_wmb();
	return slot_of(ring, ring->head);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ring_begin);

/**
 * n3t_ring_commit() - publish the slice in the slot of n3t_ring_begin()
 * @ring: the ring
 *
 * Context: The writer alone, interrupts included.
 */
void n3t_ring_commit(struct n3t_ring *ring)
{
	/*
	 * The slice is seen before the head that includes it. Pairs with
	 * smp_load_acquire() in n3t_ring_read() and n3t_ring_newest().
	 */
	smp_store_release(&ring->head, ring->head + 1);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ring_commit);

/**
 * n3t_ring_read() - copy one slice
 * @ring: the ring
 * @index: which: the first slice ever has 0, the newest @ring->head - 1
 * @slice: the copy; counts beyond the budget are 0
 *
 * Context: Any CPU, any context; needs no lock and never waits.
 * Return: true if @slice is a complete slice; false if @index is not written yet
 * or no longer held, then @slice must not be used.
 */
bool n3t_ring_read(const struct n3t_ring *ring, u64 index, struct n3t_slice *slice)
{
	/* Pairs with smp_store_release() in n3t_ring_commit(). */
	u64 head = smp_load_acquire(&ring->head);

	if (index >= head || head - index > ring->mask)
		return false;

	/* The writer may have reached this slot by now; if so the copy is refused. */
	data_race(memcpy(slice, slot_of(ring, index), ring->stride));
	memset((void *)slice + ring->stride, 0, sizeof(*slice) - ring->stride);

	/*
	 * If anything copied is of a later slice, the head that gave the slot to
	 * the writer is seen now. Pairs with smp_wmb() in n3t_ring_begin().
	 */
	smp_rmb();
	return READ_ONCE(ring->head) - index <= ring->mask;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ring_read);

static void sum_add(struct n3t_set_sum *sum, const struct n3t_slice *slice, unsigned int nr)
{
	unsigned int i;

	if (slice->state != N3T_SLICE_KEPT) {
		sum->dropped++;
		return;
	}
	sum->slices++;
	sum->time_ns += slice->time_ns;
	sum->cycles += slice->cycles;
	for (i = 0; i < nr; i++)
		sum->count[i] += slice->count[i];
}

/* Slices come from the newest back. */
static void window_add(struct n3t_window *window, const struct n3t_plan *plan,
		       const struct n3t_slice *slice, u64 index)
{
	struct n3t_set_sum *sum;

	/* No set of this plan: nothing can be made of it. */
	if (slice->set >= window->nr_sets)
		return;

	sum = &window->sum[slice->set];
	sum_add(sum, slice, plan->set[slice->set].nr);
	if (slice->state != N3T_SLICE_KEPT)
		return;
	window->cycles += slice->cycles;
	sum->middles_ns += slice->end_ns - slice->time_ns / 2;
	sum->first = index;
	if (sum->slices == 1)
		sum->last = index;
}

/**
 * n3t_ring_newest() - copy the newest slice
 * @ring: the ring
 * @index: its index
 * @slice: the copy, as of n3t_ring_read()
 *
 * Context: Any CPU, any context; needs no lock.
 * Return: false if there has been no slice yet.
 */
bool n3t_ring_newest(const struct n3t_ring *ring, u64 *index, struct n3t_slice *slice)
{
	u64 head;

	/* Fails only if the writer wrapped around to it meanwhile: retry. */
	do {
		/* Pairs with smp_store_release() in n3t_ring_commit(). */
		head = smp_load_acquire(&ring->head);
		if (!head)
			return false;
	} while (!n3t_ring_read(ring, head - 1, slice));

	*index = head - 1;
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ring_newest);

/**
 * n3t_window_sum() - sum up the slices that ended in a window, set by set
 * @window: the sums; room for @plan->nr_sets sets
 * @ring: the ring
 * @plan: the plan that the ring is written by
 * @since_ns: start of the window; a slice that ended just then is in it
 *
 * Goes back from the newest slice until one ended before the window or is no
 * longer held. Dropped slices are counted, their counts are not used.
 *
 * Context: Any CPU, any context; needs no lock.
 */
void n3t_window_sum(struct n3t_window *window, const struct n3t_ring *ring,
		    const struct n3t_plan *plan, u64 since_ns)
{
	struct n3t_slice slice;
	u64 index;

	window->nr_sets = plan->nr_sets;
	window->cycles = 0;
	window->newest_ns = 0;
	memset(window->sum, 0, plan->nr_sets * sizeof(window->sum[0]));

	if (!n3t_ring_newest(ring, &index, &slice))
		return;

	window->newest_ns = slice.end_ns;
	while (slice.end_ns >= since_ns) {
		window_add(window, plan, &slice, index);
		if (!index || !n3t_ring_read(ring, --index, &slice))
			return;
	}
}
EXPORT_SYMBOL_IF_KUNIT(n3t_window_sum);

/**
 * n3t_set_counts() - the sums of a set by event
 * @set: the set
 * @sum: its sums
 * @counts: the same for a formula
 */
void n3t_set_counts(const struct n3t_set *set, const struct n3t_set_sum *sum,
		    struct n3t_counts *counts)
{
	counts->cycles = sum->cycles;
	counts->nr = set->nr;
	memcpy(counts->code, set->code, set->nr * sizeof(set->code[0]));
	memcpy(counts->count, sum->count, set->nr * sizeof(sum->count[0]));
}
EXPORT_SYMBOL_IF_KUNIT(n3t_set_counts);

static unsigned int total_bytes(unsigned int budget)
{
	return offsetof(struct n3t_set_sum, count) + budget * sizeof(u64);
}

static struct n3t_set_sum *total_of(const struct n3t_totals *totals, int bank, unsigned int set)
{
	return totals->bank[bank] + (size_t)set * totals->stride;
}

/**
 * n3t_totals_bytes() - memory that running totals need
 * @nr_sets: number of sets
 * @budget: programmable counters, 1 to N3T_MAX_COUNTERS
 *
 * Context: Any.
 * Return: bytes.
 */
size_t n3t_totals_bytes(unsigned int nr_sets, unsigned int budget)
{
	return 2 * (size_t)nr_sets * total_bytes(budget);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_totals_bytes);

/**
 * n3t_totals_init() - set running totals to 0
 * @totals: the totals
 * @memory: n3t_totals_bytes() of memory, aligned for a u64; stays the caller's
 * @nr_sets: number of sets
 * @budget: programmable counters, 1 to N3T_MAX_COUNTERS
 *
 * Context: Any. Not while anybody uses @totals.
 */
void n3t_totals_init(struct n3t_totals *totals, void *memory, unsigned int nr_sets,
		     unsigned int budget)
{
	seqcount_latch_init(&totals->latch);
	totals->nr_sets = nr_sets;
	totals->stride = total_bytes(budget);
	totals->bank[0] = memory;
	totals->bank[1] = memory + (size_t)nr_sets * totals->stride;
	memset(memory, 0, n3t_totals_bytes(nr_sets, budget));
}
EXPORT_SYMBOL_IF_KUNIT(n3t_totals_init);

/**
 * n3t_totals_add() - add a slice to the running totals of its set
 * @totals: the totals
 * @slice: the slice; ignored if the totals do not have its set
 * @set: its set: how many counts there are
 *
 * Context: The writer alone, interrupts included.
 */
void n3t_totals_add(struct n3t_totals *totals, const struct n3t_slice *slice,
		    const struct n3t_set *set)
{
	if (slice->set >= totals->nr_sets)
		return;

	/* Each step sends the readers to the bank that it does not change. */
	write_seqcount_latch_begin(&totals->latch);
	sum_add(total_of(totals, 0, slice->set), slice, set->nr);
	write_seqcount_latch(&totals->latch);
	sum_add(total_of(totals, 1, slice->set), slice, set->nr);
	write_seqcount_latch_end(&totals->latch);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_totals_add);

/**
 * n3t_totals_read() - copy the running totals of one set
 * @totals: the totals
 * @set: the set
 * @total: a consistent copy; counts beyond the budget are 0
 *
 * Context: Any CPU, any context; needs no lock and never waits for the writer.
 * Return: true, or false if there is no such set, then @total is untouched.
 */
bool n3t_totals_read(const struct n3t_totals *totals, unsigned int set, struct n3t_set_sum *total)
{
	unsigned int seq;

	if (set >= totals->nr_sets)
		return false;

	memset(total, 0, sizeof(*total));
	do {
		seq = read_seqcount_latch(&totals->latch);
		memcpy(total, total_of(totals, seq & 1, set), totals->stride);
	} while (read_seqcount_latch_retry(&totals->latch, seq));
	return true;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_totals_read);
