// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Covariance matrices of the parts of a slice, and weighted sums of their entries.
 *
 * Entries and weights are integers: the variance of a sum is a small difference of large products.
 */
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/minmax.h>

#include "libn3t/formula.h"
#include "libn3telemetry/stats/matrix.h"

#define MIN_EXPONENT	(-1000000)
#define WEIGHT_BITS	59	/* plus 62 of an entry and 5 for their number: 126 */
#define ROW_BITS	60	/* of a sum of weighted entries, in n3t_weights_variance() */

static_assert(2 * N3T_MAX_WEIGHTS <= 1 << 5);

/**
 * n3t_matrix_init() - lay out a matrix
 * @matrix: the matrix; the caller sets its units
 * @shape: shape of the set; the caller keeps ownership
 */
void n3t_matrix_init(struct n3t_matrix *matrix, const struct n3t_shape *shape)
{
	matrix->nr = shape->nr_parts;
	matrix->nr_entries = 0;
	matrix->part = shape->part;
	matrix->from = shape->from;
	for (unsigned int i = 0; i < matrix->nr; i++) {
		matrix->row[i] = matrix->nr_entries;
		matrix->nr_entries += i + 1 - matrix->from[i];
	}
}

/**
 * n3t_weighing_choose() - find the parts that make up a metric, and their matrix entries
 * @weighing: the result, the same for all CPUs with a plan
 * @matrix: matrix of one of them
 * @set: set of the metric
 * @formula: formula of the metric
 */
void n3t_weighing_choose(struct n3t_weighing *weighing, const struct n3t_matrix *matrix,
			 const struct n3t_set *set, const struct n3t_formula *formula)
{
	unsigned int n = 0, nr_entries = 0;
	u64 parts = 0;

	if (formula->has_cycles)
		parts |= 1ull << N3T_PART_CYCLES;
	for (unsigned int i = 0; i < formula->nr_events; i++) {
		weighing->summed[i] = n3t_counts_summed(set->code, set->nr, formula->code[i]);
		parts |= (u64)weighing->summed[i] << N3T_PART_COUNTS;
	}
	for (unsigned int i = 0; i < matrix->nr && n < N3T_MAX_WEIGHTS; i++) {
		if (!(parts >> matrix->part[i] & 1))
			continue;
		weighing->part[n] = matrix->part[i];
		weighing->position[n++] = i;
		for (unsigned int m = 0; m < n; m++)
			weighing->entry[nr_entries++] =
				n3t_matrix_at(matrix, i, weighing->position[m]);
	}
	weighing->nr = n;
}

/**
 * n3t_weights_set() - derivatives of a value by each part
 * @weights: the result
 * @weighing: the parts of the metric
 * @formula: formula of the metric
 * @gradient: gradient of the formula
 */
void n3t_weights_set(struct n3t_weights *weights, const struct n3t_weighing *weighing,
		     const struct n3t_formula *formula, const struct n3t_gradient *gradient)
{
	for (unsigned int n = 0; n < weighing->nr; n++) {
		unsigned int part = weighing->part[n];
		double sum = 0;

		if (part == N3T_PART_CYCLES) {
			weights->weight[n] = gradient->cycles;
			continue;
		}
		for (unsigned int i = 0; i < formula->nr_events; i++)
			if (weighing->summed[i] >> (part - N3T_PART_COUNTS) & 1)
				sum += gradient->event[i];
		weights->weight[n] = sum;
	}
}

/*
 * Weights in units as integers with a common exponent, which is returned. Much smaller
 * weights lose precision, or become 0.
 */
static int align(s64 *aligned, const struct n3t_weights *weights,
		 const struct n3t_weighing *weighing, const u8 *shift)
{
	int most = MIN_EXPONENT;

	for (unsigned int n = 0; n < weighing->nr; n++)
		if (weights->weight[n])
			most = max(most, ilogb(weights->weight[n]) + shift[weighing->position[n]]);
	most -= WEIGHT_BITS - 1;
	for (unsigned int n = 0; n < weighing->nr; n++)
		aligned[n] = ldexp(weights->weight[n], shift[weighing->position[n]] - most);
	return most;
}

/*
 * entries * weights, row by row; entries off the diagonal are stored once and count twice.
 * Returns the bits of the longest, without sign.
 */
static int weigh_rows(__int128 *row, const s64 *aligned, const struct n3t_weighing *weighing,
		      const s64 *entry)
{
	const s16 *at = weighing->entry;
	u64 high = 0, low = 0;

	for (unsigned int n = 0; n < weighing->nr; n++) {
		__int128 in_row = 0, magnitude;

		for (unsigned int m = 0; m < n; m++, at++)
			if (*at != N3T_NO_ENTRY)
				in_row += (__int128)entry[*at] * aligned[m];
		in_row = 2 * in_row + (__int128)entry[*at++] * aligned[n];
		row[n] = in_row;
		magnitude = in_row ^ in_row >> 127;
		high |= magnitude >> 64;
		low |= magnitude;
	}
	return high ? 64 + fls64(high) : fls64(low);
}

/**
 * n3t_weights_variance() - variance of a weighted sum of parts
 * @weights: the weights
 * @weighing: the parts
 * @matrix: layout and units of the entries
 * @entry: the covariances
 *
 * Return: weights' * entries * weights, or 0 if rounding makes it negative.
 */
double n3t_weights_variance(const struct n3t_weights *weights,
			    const struct n3t_weighing *weighing,
			    const struct n3t_matrix *matrix, const s64 *entry)
{
	__int128 row[N3T_MAX_WEIGHTS], sum = 0;
	s64 aligned[N3T_MAX_WEIGHTS];
	int exponent, drop;

	exponent = align(aligned, weights, weighing, matrix->shift);
	drop = max(weigh_rows(row, aligned, weighing, entry) - ROW_BITS, 0);
	for (unsigned int n = 0; n < weighing->nr; n++)
		/* cppcheck-suppress uninitvar # by weigh_rows() */
		sum += (__int128)(s64)(row[n] >> drop) * aligned[n];
	if (sum < 0)
		return 0;
	return ldexp(sum, 2 * (exponent - N3T_UNIT_BITS) + drop - N3T_ENTRY_BITS);
}
