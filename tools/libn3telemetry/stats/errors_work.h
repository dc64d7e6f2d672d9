/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Definitions private to errors.c, edges.c and regression.c. The arithmetic is inline because
 * it dominates the cost of a read.
 */
#ifndef LIBN3TELEMETRY_STATS_ERRORS_WORK_H
#define LIBN3TELEMETRY_STATS_ERRORS_WORK_H

#include <linux/bitops.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/overflow.h>

#include "libn3t/slices.h"
#include "libn3t/covariance.h"
#include "libn3telemetry/stats/errors.h"

#define WEIGHT_BITS	30	/* fraction bits of a weight, which is below 4 */
#define INVERSE_BITS	32	/* fraction bits of an inverse, which is at most 2 */

/*
 * Vectors whose products are added to a matrix: two remove the time, two add the edges, two
 * add the residuals of the edges after the anchors, one is of an anchor.
 */
enum {
	V_TIME,
	V_TIME_2,
	V_FIRST,
	V_LAST,
	V_SWEPT_FIRST,
	V_SWEPT_LAST,
	V_ANCHOR,
	NR_PRODUCTS,
};

struct products {
	s64 row[NR_PRODUCTS];
	s64 column[NR_PRODUCTS];
};

/*
 * Covariances of the parts with an anchor, after those before it. The product
 * column * column' / variance is split into two vectors with half of the bits each.
 * @bits: 2^this is about the root of the variance
 * @inverse: reciprocal of the variance, times 2^(2 @bits)
 * @with: covariances, divided by 2^@bits
 * @slope: covariances divided by the variance, times 2^@bits
 */
struct regressor {
	int bits;
	u64 inverse;
	s64 with[N3T_MAX_PARTS];
	s64 slope[N3T_MAX_PARTS];
};

/*
 * Correction by an anchor.
 * @off: its mean over the window less that over the set's own slices, in its units per
 *	 nanosecond, divided by 2^@regressor.bits
 * @mean_share: variance of its mean over the window, as a share of the variance of a slice,
 *		for each slice
 */
struct anchor {
	struct regressor regressor;
	double off;
	double mean_share;
};

/*
 * Deviations of the slices at the edges of the window.
 * @of_first, @of_last, @of_both: weights of the product of each with itself, and of the two,
 *				  in 2^-WEIGHT_BITS
 * @bits: maximum width of a deviation with these weights
 */
struct edges {
	s64 first[N3T_MAX_PARTS];
	s64 last[N3T_MAX_PARTS];
	s64 of_first;
	s64 of_last;
	s64 of_both;
	unsigned int bits;
};

/*
 * Working memory, too large for a stack.
 * @sum: sums of the set over the window
 * @first, @last: slices at the edges
 * @means_known: @means is valid
 * @means: means of the anchors over the window
 * @per_window: reciprocal of the window length
 * @time: row of the time in the matrix
 * @slices: number of slices that add to the error
 * @each: reciprocal of @slices
 * @total: sums of the parts, with fractions of a count
 * @by_time: part proportional to the time, divided by about the root of the variance of the
 *	     time
 * @with_time: covariances of the parts with the time, divided by the same
 * @edges: without the time
 * @swept: residuals of the edges after the anchors
 * @part: the vectors
 * @correction: correction of the rate of each part, N3T_RATE_UNIT per second
 */
struct n3t_errors_work {
	const struct n3t_set_sum *sum;
	struct n3t_slice first;
	struct n3t_slice last;
	bool means_known;
	struct n3t_anchor_means means;
	double per_window;
	unsigned int time;
	u64 slices;
	double each;
	u64 total[N3T_MAX_PARTS];
	s64 by_time[N3T_MAX_PARTS];
	s64 with_time[N3T_MAX_PARTS];
	struct edges edges;
	struct edges swept;
	struct anchor anchor[N3T_MAX_ANCHORS];
	struct products *part;
	s64 correction[N3T_MAX_PARTS];
};

/* 1 / @count, or 0 */
static inline double inverse_of(u64 count)
{
	return count ? 1.0 / count : 0;
}

static inline s64 sum_of(s64 a, s64 b)
{
	s64 sum;

	return check_add_overflow(a, b, &sum) ? (b < 0 ? -S64_MAX : S64_MAX) : sum;
}

static inline int bits_of(s64 a)
{
	return fls64(a < 0 ? -(u64)a : (u64)a);
}

static __always_inline u64 product(const s64 *row, const s64 *column, unsigned int first,
				   unsigned int end)
{
	unsigned int p;
	u64 sum = 0;

#pragma GCC unroll NR_PRODUCTS
	for (p = first; p < end; p++)
		sum += (u64)row[p] * column[p];
	return sum;
}

static inline u64 of_sum(const struct n3t_set_sum *sum, unsigned int part)
{
	switch (part) {
	case N3T_PART_TIME:
		return sum->time_ns;
	case N3T_PART_CYCLES:
		return sum->cycles;
	default:
		return sum->count[part - N3T_PART_COUNTS];
	}
}

/* A sum or slice of a part with fractions of a count. */
static inline u64 fine(u64 count)
{
	return count << N3T_UNIT_BITS;
}

/* @a * 2^@bits */
static inline u64 scaled(u64 a, int bits)
{
	return bits < 0 ? a >> -bits : a << bits;
}

/* Half of the bits of a variance. */
static inline int root_bits(s64 variance)
{
	return bits_of(max(variance, 0ll)) / 2;
}

static inline s64 fixed(double weight)
{
	return saturated(ldexp(weight, WEIGHT_BITS));
}

/* Covariances of the parts with part @a; 0 for pairs without an entry. */
static inline void get_column(const struct n3t_errors *errors, unsigned int a, s64 *column)
{
	const struct n3t_matrix *matrix = &errors->matrix;
	const s64 *entry = errors->measured;
	unsigned int i;

	for (i = 0; i <= a; i++)
		column[i] = i < matrix->from[a] ? 0 : entry[matrix->row[a] + i - matrix->from[a]];
	for (; i < matrix->nr; i++)
		column[i] = a < matrix->from[i] ? 0 : entry[matrix->row[i] + a - matrix->from[i]];
}

/* edges.c */
void n3t_edges_find_time(struct n3t_errors *errors);
void n3t_edges_set_time(struct n3t_errors *errors);
void n3t_edges_find(struct n3t_errors *errors);
void n3t_edges_set(struct n3t_errors *errors, const struct edges *edges, s64 share,
		   unsigned int first_product);

/* regression.c */
void n3t_regression_find(struct n3t_errors *errors);
double n3t_regression_share(const struct n3t_errors *errors);
void n3t_regression_set_anchor(const struct n3t_errors *errors, const struct anchor *anchor,
			       double share);

#endif /* LIBN3TELEMETRY_STATS_ERRORS_WORK_H */
