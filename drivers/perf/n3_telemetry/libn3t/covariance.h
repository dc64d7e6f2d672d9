/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Covariances of the slices of each set, with exponential decay, kept by the sampler. */
#ifndef _N3T_COVARIANCE_H
#define _N3T_COVARIANCE_H

#include "libn3t/n3t.h"
#include "libn3t/plan.h"
#include "libn3t/slices.h"

#define N3T_UNIT_BITS	4	/* the unit of a part is 2^(its shift - this) */
#define N3T_WHOLE_BITS	20	/* size of a difference in units */

struct n3t_covariance_set;

/**
 * struct n3t_covariance_sums - the state of one set as the sampler keeps it
 * @differences: number of differences of successive slices, up to the length of the memory
 * @weight: sum of their weights, in 1/65536
 * @memory: number of slices to average over, as a power of two
 * @shift: for each part of the set's shape the shift that gives its unit
 * @product: sums of weighted products of differences, row by row
 */
struct n3t_covariance_sums {
	u32 differences;
	u32 weight;
	u8 memory;
	const u8 *shift;
	const s64 *product;
};

/**
 * struct n3t_covariance - variation of the slices of one CPU, by set
 * @slices: number of slices passed to n3t_covariance_add()
 * @nr_sets: number of sets
 * @set: sums of each set, and its newest slice, which is private to the writer
 * @difference: difference of the newest two slices of a set, private to the writer; not on
 *	the stack, where some kernels would zero it for each slice
 */
struct n3t_covariance {
	u64 slices;
	unsigned int nr_sets;
	struct n3t_covariance_set *set;
	s32 difference[N3T_MAX_PARTS];
};

size_t n3t_covariance_bytes(const struct n3t_plan *plan);
void n3t_covariance_init(struct n3t_covariance *covariance, void *memory,
			 const struct n3t_plan *plan, unsigned int slices);
void n3t_covariance_add(struct n3t_covariance *covariance, const struct n3t_slice *slice);
void n3t_covariance_sums(const struct n3t_covariance *covariance, unsigned int set,
			 struct n3t_covariance_sums *sums);

#endif /* _N3T_COVARIANCE_H */
