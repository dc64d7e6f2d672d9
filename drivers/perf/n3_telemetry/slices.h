/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Slices: the ring of recent ones, the running totals, the sums over a window.
 *
 * One writer, the sampler on its own CPU; any number of readers anywhere,
 * without locks: a reader copies a slice and then checks whether the writer
 * may have started to overwrite it meanwhile.
 */
#ifndef _N3T_SLICES_H
#define _N3T_SLICES_H

#include <linux/seqlock.h>

#include "n3t.h"

struct n3t_plan;
struct n3t_set;

/**
 * enum n3t_slice_state - the outcome of a slice
 * @N3T_SLICE_KEPT: every event counted from its start to its end
 * @N3T_SLICE_MISSING: dropped: an event had no counter when it started
 * @N3T_SLICE_CUT: dropped: an event was without its counter for part of it
 * @N3T_SLICE_DISTURBED: dropped: an NMI enabled the PMU while counters were changed at
 *	its start or end
 * @N3T_NR_SLICE_STATES: how many there are
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
 * @end_ns: when it ended, ktime_get_mono_fast_ns()
 * @time_ns: how long it took
 * @set: the counter set
 * @state: kept, or why not
 * @cycles: CPU_CYCLES
 * @count: counts in the order of the set's events
 */
struct n3t_slice {
	u64 end_ns;
	u64 time_ns;
	u16 set;
	u16 state;
	u64 cycles;
	u64 count[N3T_MAX_COUNTERS];
};

/**
 * struct n3t_ring - the recent slices of one CPU
 * @mask: number of slots - 1; the number is a power of two
 * @stride: bytes per slot: a struct n3t_slice cut off after the budget's counts
 * @head: slices ever written; slot @head & @mask is the next to be written
 * @slots: the slots
 *
 * A slot belongs to the writer as soon as @head points to it, so readers find
 * the last @mask slices.
 */
struct n3t_ring {
	unsigned int mask;
	unsigned int stride;
	u64 head;
	void *slots;
};

/**
 * struct n3t_set_sum - sums over slices of one set: those of a window, or all ever taken
 * @slices: slices kept
 * @dropped: slices dropped; nothing else of them is counted
 * @time_ns: time counted
 * @cycles: CPU_CYCLES
 * @count: counts in the order of the set's events
 * @first: index in the ring of the first slice kept; of a window only, as what follows
 * @last: that of the last
 * @middles_ns: sum of the slices' middles, modulo 2^64
 */
struct n3t_set_sum {
	u64 slices;
	u64 dropped;
	u64 time_ns;
	u64 cycles;
	u64 count[N3T_MAX_COUNTERS];
	u64 first;
	u64 last;
	u64 middles_ns;
};

/**
 * enum n3t_trust - do the events count that must count, weakest evidence first
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
 * struct n3t_window - what a window holds, set by set
 * @nr_sets: number of sets in the plan
 * @trust: what n3t_window_judge() found, N3T_TRUST_UNKNOWN before
 * @cycles: CPU_CYCLES over all kept slices
 * @newest_ns: end of the newest slice ever taken, 0 if there is none
 * @sum: a sum for each set
 *
 * Allocate with struct_size() for the plan's number of sets.
 */
struct n3t_window {
	unsigned int nr_sets;
	enum n3t_trust trust;
	u64 cycles;
	u64 newest_ns;
	struct n3t_set_sum sum[];
};

/**
 * struct n3t_totals - the running totals of one CPU
 * @latch: tells readers which of the two banks the writer does not change
 * @nr_sets: number of totals in each bank
 * @stride: bytes per total: a struct n3t_set_sum cut off after the budget's counts
 * @bank: two copies of the totals
 */
struct n3t_totals {
	seqcount_latch_t latch;
	unsigned int nr_sets;
	unsigned int stride;
	void *bank[2];
};

size_t n3t_ring_bytes(unsigned int slots, unsigned int budget);
void n3t_ring_init(struct n3t_ring *ring, void *slots, unsigned int nr_slots, unsigned int budget);
struct n3t_slice *n3t_ring_begin(struct n3t_ring *ring);
void n3t_ring_commit(struct n3t_ring *ring);
bool n3t_ring_read(const struct n3t_ring *ring, u64 index, struct n3t_slice *slice);
bool n3t_ring_newest(const struct n3t_ring *ring, u64 *index, struct n3t_slice *slice);
void n3t_set_counts(const struct n3t_set *set, const struct n3t_set_sum *sum,
		    struct n3t_counts *counts);
void n3t_window_sum(struct n3t_window *window, const struct n3t_ring *ring,
		    const struct n3t_plan *plan, u64 since_ns);

size_t n3t_totals_bytes(unsigned int nr_sets, unsigned int budget);
void n3t_totals_init(struct n3t_totals *totals, void *memory, unsigned int nr_sets,
		     unsigned int budget);
void n3t_totals_add(struct n3t_totals *totals, const struct n3t_slice *slice,
		    const struct n3t_set *set);
bool n3t_totals_read(const struct n3t_totals *totals, unsigned int set, struct n3t_set_sum *total);

#endif /* _N3T_SLICES_H */
