/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* How the slices of each set vary: covariances with a memory, kept by the sampler. */
#ifndef _N3T_COVARIANCE_H
#define _N3T_COVARIANCE_H

#include <linux/seqlock.h>
#include <linux/stddef.h>

#include "formula.h"
#include "n3t.h"
#include "real.h"
#include "slices.h"

struct n3t_covariance_set;
struct n3t_plan;

/*
 * What slices are compared by: their time, their cycles, and the counts of their set in its
 * order. Parts are numbered as the words of struct n3t_slice.
 */
#define N3T_PART_TIME		(offsetof(struct n3t_slice, time_ns) / sizeof(u64))
#define N3T_PART_CYCLES		(offsetof(struct n3t_slice, cycles) / sizeof(u64))
#define N3T_PART_COUNTS		(offsetof(struct n3t_slice, count) / sizeof(u64))
#define N3T_MAX_PARTS		(N3T_PART_COUNTS + N3T_MAX_COUNTERS)

/**
 * struct n3t_covariance - how the slices of one CPU vary, set by set
 * @latch: tells readers which of the two banks the writer does not change
 * @nr_sets: number of sets
 * @set: for each set what is kept of it, and its newest slice, which is the writer's
 * @bank: two copies of the sums
 * @difference: of the newest two slices of a set, the writer's: kernels that zero what is
 *	on the stack would do so for each slice
 */
struct n3t_covariance {
	seqcount_latch_t latch;
	unsigned int nr_sets;
	struct n3t_covariance_set *set;
	void *bank[2];
	s32 difference[N3T_MAX_PARTS];
};

/**
 * struct n3t_spread - how much a weighted sum of a slice's parts varies
 * @variance: from one slice to another
 * @differences: of successive slices that it was learnt from
 * @freedom: degrees of freedom of @variance
 */
struct n3t_spread {
	struct n3t_real variance;
	u64 differences;
	u64 freedom;
};

/* A metric has time, cycles, its events and, for STALL_SLOT, one more. */
#define N3T_MOST_WEIGHTS	(2 + N3T_FORMULA_EVENTS + 1)

/**
 * struct n3t_weighing - a weighted sum of a set's parts, and room to find its variance in
 * @nr: how many parts have a weight
 * @part: which
 * @position: of each among those that are kept of the set
 * @product: for each of them and each up to itself, row by row, where their product is kept
 * @aligned: of each the weight of a unit, all with the same exponent
 * @row: for each the weighted sum of its products
 */
struct n3t_weighing {
	unsigned int nr;
	u8 part[N3T_MOST_WEIGHTS];
	u8 position[N3T_MOST_WEIGHTS];
	s16 product[N3T_MOST_WEIGHTS * (N3T_MOST_WEIGHTS + 1) / 2];
	s64 aligned[N3T_MOST_WEIGHTS];
	__int128 row[N3T_MOST_WEIGHTS];
};

size_t n3t_covariance_bytes(const struct n3t_plan *plan);
void n3t_covariance_init(struct n3t_covariance *covariance, void *memory,
			 const struct n3t_plan *plan, unsigned int slices);
void n3t_covariance_add(struct n3t_covariance *covariance, const struct n3t_slice *slice);
bool n3t_covariance_choose(const struct n3t_covariance *covariance, unsigned int set,
			   const struct n3t_real *weight, struct n3t_weighing *weighing);
bool n3t_covariance_spread(const struct n3t_covariance *covariance, unsigned int set,
			   const struct n3t_real *weight, struct n3t_weighing *weighing,
			   struct n3t_spread *spread);

#endif /* _N3T_COVARIANCE_H */
