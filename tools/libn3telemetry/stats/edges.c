// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Contribution of the time and the edges of a window to the error of a set's sums.
 *
 * Counts are related to their time: x - m t replaces x, with t the time and m the mean rates.
 *
 * Whether the slice next to an edge of the window still falls into it is chance, so at either
 * edge a share of a slice is missing or in excess: shares a and b of the first and of the
 * last slice. f and l are the deviations of these slices from the mean. The difference of a
 * and b follows from the position of the slices: half of it is the offset, in slices, of
 * their mean time from the middle of the window. The variance of their sum is 1/3: that of
 * two numbers uniform between 0 and 1, rounded to 0 or 1 at random. The matrix gains
 *
 *	((b - a) / 2)^2 (l - f) (l - f)' + (f + l) (f + l)' / 12
 *
 * A slice that began before the window counts in full, which adds the square of the part outside.
 */
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/math64.h>

#include "libn3telemetry/stats/errors_work.h"

#define BY_TIME_BITS	29	/* size of the part proportional to the time */
#define RATIO_BITS	56	/* fraction bits of a ratio below 2^7 */

/*
 * Bits of two deviations and a weight together: two weighted deviations add up to a column,
 * one is the row, and two products of these add up to an entry, which has 62.
 */
#define EDGE_BITS	(61 - 2 + WEIGHT_BITS - N3T_ENTRY_BITS)
#define MAX_EDGE_BITS	29	/* times a slope: 61 */

static_assert((EDGE_BITS + WEIGHT_BITS + 2) / 2 + 1 < 63);

/* Enlarge the unit of a part in all entries found so far. */
static noinline void grow(struct n3t_errors *errors, unsigned int part, unsigned int by)
{
	struct n3t_matrix *matrix = &errors->matrix;
	unsigned int first = matrix->from[part], down = min(by, 63u);
	s64 *entry = &errors->measured[matrix->row[part]];

	matrix->shift[part] += by;
	for (unsigned int k = first; k < part; k++)
		*entry++ >>= down;
	*entry >>= min(2 * by, 63u);
	for (unsigned int k = part + 1; k < matrix->nr; k++)
		if (matrix->from[k] <= part)
			errors->measured[matrix->row[k] + part - matrix->from[k]] >>= down;
}

/* In units of 2^-RATIO_BITS, saturated. */
static u64 ratio_of(double ratio)
{
	return saturated(ldexp(ratio, RATIO_BITS));
}

/* Share @ratio of @total, in units of 2^-RATIO_BITS. */
static u64 share_of(u64 ratio, u64 total)
{
	return mul_u64_u64_shr(ratio, total, RATIO_BITS);
}

/* Find the sums, and the part of each that is proportional to the time at constant rates. */
void n3t_edges_find_time(struct n3t_errors *errors)
{
	struct n3t_errors_work *work = errors->work;
	struct n3t_matrix *matrix = &errors->matrix;
	s64 variance;
	u64 ratio;
	int bits;

	for (unsigned int i = 0; i < matrix->nr; i++) {
		work->total[i] = fine(of_sum(work->sum, matrix->part[i]));
		if (matrix->part[i] == N3T_PART_TIME)
			work->time = i;
	}
	variance = errors->measured[n3t_matrix_at(matrix, work->time, work->time)];
	bits = root_bits(variance) + matrix->shift[work->time] - N3T_UNIT_BITS;
	ratio = ratio_of(ldexp(errors->per_ns, bits));
	for (unsigned int i = 0; i < matrix->nr; i++) {
		s64 by_time = share_of(ratio, work->total[i]) >> matrix->shift[i];
		int beyond = bits_of(by_time) - BY_TIME_BITS;

		if (unlikely(beyond > 0)) {
			grow(errors, i, beyond);
			by_time >>= beyond;
		}
		work->by_time[i] = by_time;
	}
}

/* Enlarge the unit of a part for a deviation that does not fit. */
static noinline s64 make_room(struct n3t_errors *errors, unsigned int part, s64 deviation)
{
	struct n3t_errors_work *work = errors->work;
	unsigned int by = bits_of(deviation) - work->edges.bits;

	grow(errors, part, by);
	work->by_time[part] >>= by;
	work->edges.first[part] >>= by;
	return deviation >> by;
}

/* Excess of a slice over the mean for each part, in units, which grow if it does not fit. */
static void find_deviations(struct n3t_errors *errors, const struct n3t_slice *slice,
			    s64 *deviation)
{
	u64 ratio = ratio_of(errors->per_ns * slice->time_ns);
	const struct n3t_matrix *matrix = &errors->matrix;
	const u64 *word = (const u64 *)slice, *total = errors->work->total;
	unsigned int nr = matrix->nr;
	s64 most = 1ll << errors->work->edges.bits;
	const u8 *part = matrix->part;

	for (unsigned int i = 0; i < nr; i++) {
		s64 by = fine(word[part[i]]) - share_of(ratio, total[i]);

		by >>= matrix->shift[i];
		if (unlikely(by <= -most || by >= most))
			by = make_room(errors, i, by);
		deviation[i] = by;
	}
}

/*
 * Offset of the slices' mean time from the middle of the window, in slices of the set;
 * positive if later. At most 1: a larger gap is not an edge effect.
 */
static double off_middle(const struct n3t_errors *errors)
{
	const struct n3t_set_sum *sum = errors->work->sum;
	u64 window_ns = errors->until_ns - errors->since_ns;
	u64 middle_ns = errors->since_ns + window_ns / 2;
	s64 off_ns = sum->middles_ns - sum->slices * middle_ns;	/* summed over all slices */

	off_ns = clamp(off_ns, -(s64)window_ns, (s64)window_ns);
	return off_ns * errors->work->per_window;
}

/* Weights are per slice, like the whole matrix. */
void n3t_edges_find(struct n3t_errors *errors)
{
	struct n3t_errors_work *work = errors->work;
	struct edges *edges = &work->edges;
	double before;
	s64 apart, by_chance;

	apart = fixed(square(off_middle(errors)) * work->each);
	by_chance = fixed(work->each / 12);
	edges->of_last = by_chance + apart;
	edges->of_both = by_chance - apart;
	edges->of_first = edges->of_last;
	if (errors->outside_ns) {
		before = (double)errors->outside_ns / work->first.time_ns;
		edges->of_first += fixed(square(before) * work->each);
	}
	edges->bits = min((EDGE_BITS - bits_of(edges->of_first)) / 2, MAX_EDGE_BITS);
	find_deviations(errors, &work->first, edges->first);
	find_deviations(errors, &work->last, edges->last);
}

/* Set the products of the edges, times @share in 2^-WEIGHT_BITS. */
void n3t_edges_set(struct n3t_errors *errors, const struct edges *edges, s64 share,
		   unsigned int first_product)
{
	s64 of_first = edges->of_first * share >> WEIGHT_BITS;
	s64 of_last = edges->of_last * share >> WEIGHT_BITS;
	s64 of_both = edges->of_both * share >> WEIGHT_BITS;
	struct products *part = errors->work->part;
	unsigned int nr = errors->matrix.nr;

	for (unsigned int i = 0; i < nr; i++) {
		s64 first = edges->first[i], last = edges->last[i];
		s64 *column = &part[i].column[first_product];
		s64 *row = &part[i].row[first_product];

		row[0] = first;
		row[1] = last;
		column[0] = (of_first * first + of_both * last) >> (WEIGHT_BITS - N3T_ENTRY_BITS);
		column[1] = (of_both * first + of_last * last) >> (WEIGHT_BITS - N3T_ENTRY_BITS);
	}
}

/*
 * Replace x by x - m t, with t the time and m the mean rates:
 *
 *	cov(x - m t) = cov(x) + m (m var(t) - cov(t, x))' - cov(x, t) m'
 */
void n3t_edges_set_time(struct n3t_errors *errors)
{
	struct n3t_errors_work *work = errors->work;
	s64 *with_time = work->with_time, variance;
	struct products *part = work->part;
	unsigned int nr = errors->matrix.nr;
	u64 relative;
	int bits;

	get_column(errors, work->time, with_time);
	variance = max(with_time[work->time], 0ll);
	bits = root_bits(variance);
	relative = scaled(variance, INVERSE_BITS - 2 * bits);
	for (unsigned int i = 0; i < nr; i++) {
		s64 by_time = work->by_time[i], with = with_time[i] >> bits;

		with_time[i] = with;
		part[i].row[V_TIME] = by_time;
		part[i].column[V_TIME] = (s64)(by_time * relative >> INVERSE_BITS) - with;
		part[i].row[V_TIME_2] = -with;
		part[i].column[V_TIME_2] = by_time;
	}
}
