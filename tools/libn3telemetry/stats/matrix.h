/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Covariance matrices of the parts of a slice, and weighted sums of their entries. */
#ifndef LIBN3TELEMETRY_STATS_MATRIX_H
#define LIBN3TELEMETRY_STATS_MATRIX_H

#include <linux/minmax.h>

#include "libn3t/covariance.h"
#include "libn3t/formula.h"
#include "libn3t/n3t.h"
#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3telemetry/stats/gradient.h"
#include "libn3telemetry/stats/real.h"

/* A metric uses cycles, its events and, for STALL_SLOT, one more. */
#define N3T_MAX_WEIGHTS	(1 + N3T_FORMULA_EVENTS + 1)

#define N3T_ENTRY_BITS	12	/* the unit of an entry is 2^-this times both parts' units */
#define N3T_NO_ENTRY	(-1)

/**
 * struct n3t_matrix - layout of a symmetric matrix with a row for each part
 * @nr: number of parts
 * @nr_entries: number of entries
 * @part: the parts
 * @from: for each part the first column of its row; the row extends to the diagonal
 * @row: index of that entry
 * @shift: shift that gives the unit of each part
 *
 * Entries have at most 62 bits.
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
 * struct n3t_matrix_size - size that fits each of several matrices
 * @parts: maximum number of parts
 * @entries: maximum number of entries
 */
struct n3t_matrix_size {
	unsigned int parts;
	unsigned int entries;
};

/**
 * n3t_matrix_at() - index of the entry of two parts
 * @matrix: the matrix
 * @a: one part, by its number in the matrix
 * @b: the other
 *
 * Return: the index, or N3T_NO_ENTRY if no metric combines the two.
 */
static inline int n3t_matrix_at(const struct n3t_matrix *matrix, unsigned int a, unsigned int b)
{
	unsigned int first = min(a, b), second = max(a, b);

	if (first < matrix->from[second])
		return N3T_NO_ENTRY;
	return matrix->row[second] + first - matrix->from[second];
}

/**
 * struct n3t_weighing - the parts that make up a metric, the same for all CPUs with a plan
 * @nr: number of parts
 * @part: the parts
 * @position: row of each in the matrix
 * @summed: for each event of the formula a bitmap of the counts that add up to it
 * @entry: index of the matrix entry for each pair of parts, lower triangle by rows
 */
struct n3t_weighing {
	unsigned int nr;
	u8 part[N3T_MAX_WEIGHTS];
	u8 position[N3T_MAX_WEIGHTS];
	u32 summed[N3T_FORMULA_EVENTS];
	s16 entry[N3T_MAX_WEIGHTS * (N3T_MAX_WEIGHTS + 1) / 2];
};

/**
 * struct n3t_weights - derivatives of a value by each of these parts
 * @weight: the derivatives
 */
struct n3t_weights {
	double weight[N3T_MAX_WEIGHTS];
};

void n3t_matrix_init(struct n3t_matrix *matrix, const struct n3t_shape *shape);
void n3t_weighing_choose(struct n3t_weighing *weighing, const struct n3t_matrix *matrix,
			 const struct n3t_set *set, const struct n3t_formula *formula);
void n3t_weights_set(struct n3t_weights *weights, const struct n3t_weighing *weighing,
		     const struct n3t_formula *formula, const struct n3t_gradient *gradient);
double n3t_weights_variance(const struct n3t_weights *weights,
			    const struct n3t_weighing *weighing,
			    const struct n3t_matrix *matrix, const s64 *entry);

#endif /* LIBN3TELEMETRY_STATS_MATRIX_H */
