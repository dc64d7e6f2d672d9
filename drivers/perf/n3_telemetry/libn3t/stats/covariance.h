/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Covariances of the slices of each set, with exponential decay, kept by the sampler. */
#ifndef _N3T_COVARIANCE_H
#define _N3T_COVARIANCE_H

#include <linux/seqlock.h>

#include "libn3t/n3t.h"
#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/stats/matrix.h"

struct n3t_covariance_set;

/**
 * struct n3t_covariance - variation of the slices of one CPU, by set
 * @changes: sequence count of changes to the sums
 * @nr_sets: number of sets
 * @size: size that fits the matrices of all sets
 * @set: sums of each set, and its newest slice, which is private to the writer
 * @difference: difference of the newest two slices of a set, private to the writer; not on
 *	the stack, where some kernels would zero it for each slice
 */
struct n3t_covariance {
	seqcount_t changes;
	unsigned int nr_sets;
	struct n3t_matrix_size size;
	struct n3t_covariance_set *set;
	s32 difference[N3T_MAX_PARTS];
};

size_t n3t_covariance_bytes(const struct n3t_plan *plan);
void n3t_covariance_init(struct n3t_covariance *covariance, void *memory,
			 const struct n3t_plan *plan, unsigned int slices);
void n3t_covariance_add(struct n3t_covariance *covariance, const struct n3t_slice *slice);
u64 n3t_covariance_read(const struct n3t_covariance *covariance, unsigned int set,
			struct n3t_matrix *matrix, s64 *entry, u64 *freedom);

#endif /* _N3T_COVARIANCE_H */
