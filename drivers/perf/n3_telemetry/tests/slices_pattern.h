/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Slices whose words are all derived from their number, so that a torn copy is
 * detected; for the KUnit suite and the user-space test.
 */
#ifndef _N3T_SLICES_PATTERN_H
#define _N3T_SLICES_PATTERN_H

#include <linux/stddef.h>
#include <linux/string.h>

#include "libn3t/plan.h"
#include "libn3t/slices.h"

#define PATTERN_SETS	5
#define PATTERN_NS	1000	/* slice n ends at (n + 1) * PATTERN_NS */
#define PATTERN_SLICES	50	/* in a window: ten of each set */
#define PATTERN_SLOTS	16	/* of each set for that */

/* Every seventh slice is dropped: each of the PATTERN_SETS sets has kept and dropped ones. */
static inline bool pattern_kept(u64 n)
{
	return n % 7 != 3;
}

static inline u64 pattern_count(u64 n, unsigned int i)
{
	return n * 1000003 + i;
}

/* A plan of PATTERN_SETS sets, of which set s has 1 + s % budget events. */
static inline void pattern_plan(struct n3t_plan *plan, unsigned int budget)
{
	unsigned int set;

	plan->budget = budget;
	plan->nr_sets = PATTERN_SETS;
	plan->l1_set = N3T_NO_SET;
	plan->custom_set = N3T_NO_SET;
	for (set = 0; set < PATTERN_SETS; set++)
		plan->set[set].nr = 1 + set % budget;
}

static inline void pattern_fill(struct n3t_slice *slice, u64 n, unsigned int budget)
{
	unsigned int i;

	slice->end_ns = (n + 1) * PATTERN_NS;
	slice->time_ns = PATTERN_NS - n % 10;
	slice->set = n % PATTERN_SETS;
	slice->state = pattern_kept(n) ? N3T_SLICE_KEPT : N3T_SLICE_CUT;
	slice->cycles = n * 31;
	for (i = 0; i < budget; i++)
		slice->count[i] = pattern_count(n, i);
}

/* Does @slice match slice @n, with zeros beyond its set, and all zero if dropped? */
static inline bool pattern_matches(const struct n3t_slice *slice, u64 n,
				   const struct n3t_plan *plan)
{
	unsigned int i, nr = pattern_kept(n) ? plan->set[n % PATTERN_SETS].nr : 0;

	for (i = 0; i < N3T_MAX_COUNTERS; i++)
		if (slice->count[i] != (i < nr ? pattern_count(n, i) : 0))
			return false;
	return slice->end_ns == (n + 1) * PATTERN_NS &&
	       slice->time_ns == (pattern_kept(n) ? PATTERN_NS - n % 10 : 0) &&
	       slice->set == n % PATTERN_SETS &&
	       slice->state == (pattern_kept(n) ? N3T_SLICE_KEPT : N3T_SLICE_CUT) &&
	       slice->cycles == (pattern_kept(n) ? n * 31 : 0);
}

static inline void pattern_write(struct n3t_ring *ring, u64 n, unsigned int budget)
{
	pattern_fill(n3t_ring_begin(ring), n, budget);
	n3t_ring_commit(ring);
}

/* Number of slices of @set among the first @slices. */
static inline u64 pattern_slices(u64 slices, unsigned int set)
{
	return (slices + PATTERN_SETS - 1 - set) / PATTERN_SETS;
}

/*
 * Index of the oldest readable slice of a set after this number of slices: one entry
 * belongs to the writer, and one is the base.
 */
static inline u64 pattern_oldest(u64 slices)
{
	return slices < PATTERN_SLOTS ? 0 : slices - PATTERN_SLOTS + 2;
}

/* Sum of slices @first up to @end - 1 of @set, added up one by one. */
static inline void pattern_sum(struct n3t_set_sum *sum, const struct n3t_plan *plan,
			       unsigned int set, u64 first, u64 end)
{
	unsigned int i;
	u64 number;

	memset(sum, 0, sizeof(*sum));
	sum->first = first;
	sum->end = end;
	for (number = first; number < end; number++) {
		u64 n = number * PATTERN_SETS + set;

		if (!pattern_kept(n)) {
			sum->dropped++;
			continue;
		}
		sum->slices++;
		sum->time_ns += PATTERN_NS - n % 10;
		sum->middles_ns += (n + 1) * PATTERN_NS - (PATTERN_NS - n % 10) / 2;
		sum->cycles += n * 31;
		for (i = 0; i < plan->set[set].nr; i++)
			sum->count[i] += pattern_count(n, i);
	}
}

/* Are two sums of a set with @nr events equal? A window has memory for no more. */
static inline bool pattern_same(const struct n3t_set_sum *a, const struct n3t_set_sum *b,
				unsigned int nr)
{
	return !memcmp(a, b, offsetof(struct n3t_set_sum, count) + nr * sizeof(u64));
}

#endif /* _N3T_SLICES_PATTERN_H */
