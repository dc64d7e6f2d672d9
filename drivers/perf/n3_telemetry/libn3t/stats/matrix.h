/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Matrices of covariances between the parts of a slice, and of weighted sums of them. */
#ifndef _N3T_MATRIX_H
#define _N3T_MATRIX_H

#include <linux/minmax.h>
#include <linux/stddef.h>

#include "libn3t/formula.h"
#include "libn3t/n3t.h"
#include "libn3t/plan.h"
#include "libn3t/real.h"
#include "libn3t/slices.h"

/*
 * What slices are compared by: their time, their cycles, and the counts of their set in its
 * order. Parts are numbered as the words of struct n3t_slice.
 */
#define N3T_PART_TIME		(offsetof(struct n3t_slice, time_ns) / sizeof(u64))
#define N3T_PART_CYCLES		(offsetof(struct n3t_slice, cycles) / sizeof(u64))
#define N3T_PART_COUNTS		(offsetof(struct n3t_slice, count) / sizeof(u64))
#define N3T_MAX_PARTS		(N3T_PART_COUNTS + N3T_MAX_COUNTERS)

/* A metric has cycles, its events and, for STALL_SLOT, one more. */
#define N3T_MOST_WEIGHTS	(1 + N3T_FORMULA_EVENTS + 1)

#define N3T_UNIT_BITS	4	/* a part is in units of 2^(its shift - this) */
#define N3T_ENTRY_BITS	12	/* and an entry in units of 2^-this of the product of two */
#define N3T_NO_ENTRY	(-1)

/**
 * struct n3t_matrix - a symmetric matrix with a row for each part, without its entries
 * @nr: number of parts
 * @nr_entries: number of entries
 * @part: the parts
 * @from: for each the first that it has an entry with; it has one with each up to itself
 * @row: where that entry is
 * @shift: unit of each part
 *
 * Entries have 62 bits at most.
 */
struct n3t_matrix {
	unsigned int nr;
	unsigned int nr_entries;
	const u8 *part;
	const u8 *from;
	u16 row[N3T_MAX_PARTS];
	u8 shift[N3T_MAX_PARTS];
};

/**
 * struct n3t_matrix_size - room that any of several matrices needs
 * @parts: the most parts of any
 * @entries: the most entries
 */
struct n3t_matrix_size {
	unsigned int parts;
	unsigned int entries;
};

/**
 * n3t_matrix_at() - where the entry of two parts is
 * @matrix: the matrix
 * @a: one, by its number in the matrix
 * @b: the other
 *
 * Return: its number, or N3T_NO_ENTRY if no metric combines the two.
 */
static inline int n3t_matrix_at(const struct n3t_matrix *matrix, unsigned int a, unsigned int b)
{
	unsigned int first = min(a, b), second = max(a, b);

	if (first < matrix->from[second])
		return N3T_NO_ENTRY;
	return matrix->row[second] + first - matrix->from[second];
}

/**
 * struct n3t_weighing - the parts that a metric is formed from, the same for all CPUs with a plan
 * @nr: how many there are
 * @part: the parts
 * @position: of each in the matrix
 * @summed: for each event of the formula the counts that it is the sum of, a bit for each
 * @entry: for each part and each up to itself, row by row, where their entry is
 */
struct n3t_weighing {
	unsigned int nr;
	u8 part[N3T_MOST_WEIGHTS];
	u8 position[N3T_MOST_WEIGHTS];
	u32 summed[N3T_FORMULA_EVENTS];
	s16 entry[N3T_MOST_WEIGHTS * (N3T_MOST_WEIGHTS + 1) / 2];
};

/**
 * struct n3t_weights - what one more of each of these parts adds to a value
 * @of: the weights
 */
struct n3t_weights {
	struct n3t_real of[N3T_MOST_WEIGHTS];
};

void n3t_matrix_init(struct n3t_matrix *matrix, const u8 *part, const u8 *from, unsigned int nr);
void n3t_weighing_choose(struct n3t_weighing *weighing, const struct n3t_matrix *matrix,
			 const struct n3t_set *set, const struct n3t_formula *formula);
void n3t_weights_set(struct n3t_weights *weights, const struct n3t_weighing *weighing,
		     const struct n3t_formula *formula, const struct n3t_gradient *gradient);
struct n3t_real n3t_weights_variance(const struct n3t_weights *weights,
				     const struct n3t_weighing *weighing,
				     const struct n3t_matrix *matrix, const s64 *entry);

#endif /* _N3T_MATRIX_H */
