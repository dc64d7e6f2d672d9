/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Slices: a ring of running sums per set. A window is the difference of two entries.
 *
 * The only writer is the sampler on its own CPU. Any number of readers on any CPU
 * run without locks: a reader copies an entry and then checks that the writer
 * cannot have started to overwrite it in the meantime.
 */
#ifndef _N3T_SLICES_H
#define _N3T_SLICES_H

#include <linux/bitmap.h>
#include <linux/stddef.h>

#include "libn3t/n3t.h"
#include "libn3t/plan.h"

/**
 * enum n3t_slice_state - outcome of a slice
 * @N3T_SLICE_KEPT: every event counted from start to end
 * @N3T_SLICE_MISSING: dropped: an event had no counter at the start
 * @N3T_SLICE_CUT: dropped: an event lost its counter for part of the slice
 * @N3T_SLICE_DISTURBED: dropped: an NMI enabled the PMU while counters were being changed
 *	at the start or end
 * @N3T_NR_SLICE_STATES: number of states
 */
enum n3t_slice_state {
	N3T_SLICE_KEPT,
	N3T_SLICE_MISSING,
	N3T_SLICE_CUT,
	N3T_SLICE_DISTURBED,
	N3T_NR_SLICE_STATES,
};

/**
 * struct n3t_slice - one slice
 * @set: the counter set
 * @state: kept, or reason for the drop
 * @end_ns: time of the end, ktime_get_mono_fast_ns()
 * @time_ns: length
 * @cycles: CPU_CYCLES
 * @count: counts in the order of the set's events
 */
struct n3t_slice {
	u16 set;
	u16 state;
	u64 end_ns;
	u64 time_ns;
	u64 cycles;
	u64 count[N3T_MAX_COUNTERS];
};

/*
 * Parts of a slice that vary, numbered as its words: time, cycles, and the counts of the set in
 * its order.
 */
#define N3T_PART_TIME		(offsetof(struct n3t_slice, time_ns) / sizeof(u64))
#define N3T_PART_CYCLES		(offsetof(struct n3t_slice, cycles) / sizeof(u64))
#define N3T_PART_COUNTS		(offsetof(struct n3t_slice, count) / sizeof(u64))

/**
 * struct n3t_ring_set - the recent slices of one set
 * @head: number of slices ever written; entry @head % @slots is written next
 * @dropped: number of these that were dropped
 * @slots: number of entries
 * @words: u64 words of an entry
 * @next: @head % @slots
 * @nr: number of counts
 * @clipped: see n3t_ring_correct()
 * @entry: the entries, see slices.c
 *
 * An entry belongs to the writer as soon as @head points to it, so readers can use the
 * last @slots - 1.
 */
struct n3t_ring_set {
	u64 head;
	u64 dropped;
	unsigned int slots;
	unsigned int words;
	unsigned int next;
	unsigned int nr;
	u64 clipped;
	u64 *entry;
};

/**
 * struct n3t_ring - the recent slices of one CPU, by set
 * @nr_sets: number of sets in the plan
 * @set: slices of each set; written only by the writer
 * @slice: the slice being written, private to the writer
 * @slices: number of slices ever written
 * @sum_words: u64 words of a set's sum in a window
 */
struct n3t_ring {
	unsigned int nr_sets;
	unsigned int sum_words;
	struct n3t_ring_set *set;
	struct n3t_slice *slice;
	u64 *slices;
};

/**
 * struct n3t_set_sum - sums over slices of one set, in a window or since the start
 * @clipped: since the start, see n3t_ring_correct(); otherwise 0; precedes @slices, from which on
 *	moments.c copies a sum into a record
 * @first: index of the first slice of the set, dropped or not
 * @end: index of the first slice after the last
 * @slices: slices kept
 * @dropped: slices dropped; they count in no other field
 * @time_ns: time counted
 * @middles_ns: sum of the slices' middles, modulo 2^64
 * @cycles: CPU_CYCLES
 * @count: counts in the order of the set's events; in a window allocated only as long as
 *	the longest set of the plan
 */
struct n3t_set_sum {
	u64 clipped;
	u64 first;
	u64 end;
	u64 slices;
	u64 dropped;
	u64 time_ns;
	u64 middles_ns;
	u64 cycles;
	u64 count[N3T_MAX_COUNTERS];
};

/**
 * struct n3t_ring_span - sums over the kept slices of all sets since the start
 * @end_ns: end of the newest slice, kept or not; 0 before the first
 * @time_ns: time counted
 * @cycles: CPU_CYCLES
 */
struct n3t_ring_span {
	u64 end_ns;
	u64 time_ns;
	u64 cycles;
};

/**
 * enum n3t_trust - do mandatory events count, weakest evidence first
 * @N3T_TRUST_UNKNOWN: unknown, or not checked
 * @N3T_TRUST_COUNTS: they do
 * @N3T_TRUST_PRETENDS: the PMU accepts an event and leaves it at 0
 */
enum n3t_trust {
	N3T_TRUST_UNKNOWN,
	N3T_TRUST_COUNTS,
	N3T_TRUST_PRETENDS,
};

/**
 * struct n3t_window - contents of a window, by set
 * @ring: the slices, or NULL if everything below is filled in
 * @since_ns: start of the window, inclusive for the end of a slice
 * @nr_sets: number of sets in the plan
 * @complete: all sets are summed up, @cycles is known
 * @judged: @trust is known
 * @starved: the CPU has been busy since the last slice, but slices do not end
 * @partial: part of a run in which not all sets had cycles
 * @corrected: n3t_ring_correct() was applied to its slices
 * @slots_off: OP_SPEC + STALL_SLOT are not all slots: see n3t_slots_are_off()
 * @trust: result of n3t_window_judge()
 * @cycles: CPU_CYCLES over all kept slices
 * @summed: the sets that are summed up
 * @sum_words: u64 words of a sum
 * @sums: a sum for each set, see n3t_window_sum()
 *
 * n3t_window_set() sums up a set on first use.
 */
struct n3t_window {
	const struct n3t_ring *ring;
	u64 since_ns;
	unsigned int nr_sets;
	bool complete;
	bool judged;
	bool starved;
	bool partial;
	bool corrected;
	bool slots_off;
	enum n3t_trust trust;
	u64 cycles;
	DECLARE_BITMAP(summed, N3T_MAX_SETS);
	unsigned int sum_words;
	u64 sums[];
};

size_t n3t_ring_bytes(const struct n3t_plan *plan, unsigned int slices);
void n3t_ring_init(struct n3t_ring *ring, void *memory, const struct n3t_plan *plan,
		   unsigned int slices);
struct n3t_slice *n3t_ring_begin(struct n3t_ring *ring);
void n3t_ring_correct(struct n3t_ring *ring, const struct n3t_set *set);
void n3t_ring_commit(struct n3t_ring *ring);
bool n3t_ring_read(const struct n3t_ring *ring, u64 index, struct n3t_slice *slice);
bool n3t_ring_newest(const struct n3t_ring *ring, u64 *index, struct n3t_slice *slice);
bool n3t_ring_edges(const struct n3t_ring *ring, unsigned int set, const struct n3t_set_sum *sum,
		    struct n3t_slice *first, struct n3t_slice *last);
void n3t_ring_sum(const struct n3t_ring *ring, unsigned int set, u64 since_ns,
		  struct n3t_set_sum *sum);
bool n3t_ring_total(const struct n3t_ring *ring, unsigned int set, struct n3t_set_sum *total);
void n3t_ring_span(const struct n3t_ring *ring, struct n3t_ring_span *span);

u64 n3t_entries_search(const u64 *word, unsigned int slots, unsigned int words, u64 bound,
		       u64 from, u64 to);

size_t n3t_window_bytes(const struct n3t_plan *plan);
void n3t_window_init(struct n3t_window *window, const struct n3t_ring *ring, u64 since_ns);
void n3t_window_of_run(struct n3t_window *window, const struct n3t_ring *ring);
void n3t_window_sum_up(struct n3t_window *window, unsigned int set);
void n3t_window_complete(struct n3t_window *window);

/* Storage for the sums of one set, valid only if the set is summed up. */
static inline struct n3t_set_sum *n3t_window_sum(struct n3t_window *window, unsigned int set)
{
	return (struct n3t_set_sum *)&window->sums[set * window->sum_words];
}

/**
 * n3t_window_set() - the sums of one set over the slices that ended in a window
 * @window: the window
 * @set: the set, one of the plan
 *
 * Summed up once. Dropped slices contribute nothing but their number.
 *
 * Context: Any CPU, any context; needs no lock. One caller at a time for a window.
 * Return: the sums, valid as long as @window is.
 */
static inline const struct n3t_set_sum *n3t_window_set(struct n3t_window *window, unsigned int set)
{
	if (window->ring && !test_bit(set, window->summed))
		n3t_window_sum_up(window, set);
	return n3t_window_sum(window, set);
}

void n3t_set_counts(const struct n3t_set *set, const struct n3t_set_sum *sum,
		    struct n3t_counts *counts);

#endif /* _N3T_SLICES_H */
