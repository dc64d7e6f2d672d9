// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * How far what a set counted in a window is off what there was.
 *
 * For n slices of a set the sums of their parts have n times the covariances of a slice,
 * which have a memory (covariance.c). Counts are compared with their time: what counts
 * is by how much a slice has more than the mean rates times its time.
 *
 * What a window has of its own is its edges. Whether the slice next to one still falls into
 * it is chance, so at either edge there is a share of a slice too much or too little: shares
 * a and b of the first and of the last one. f and l are what these have beyond the
 * mean. The difference of a and b is known from where the slices lie: half of it is how many
 * slices their mean time is off the middle of the window. Of their sum the variance is
 * known, 1/3: that of two numbers uniform between 0 and 1 that are rounded to 0 or 1 by
 * chance. So to the matrix comes
 *
 *	((b - a) / 2)^2 (l - f) (l - f)' + (f + l) (f + l)' / 12
 *
 * And a slice that began before the window counts whole: the square of the part outside
 * more.
 *
 * An anchor is counted in every slice, so its mean over the window is known, and so is by
 * how much that of the set's own slices is off. What goes with it is off by as much times
 * the slope of a regression (Cochran, "Sampling Techniques", 3rd edition, chapters 7 and 12;
 * Särndal, Swensson and Wretman, "Model Assisted Survey Sampling", chapters 6 and 9). Slopes
 * follow from the same covariances: with c those of the parts with the anchor and v
 * its variance they are c / v, and the residuals have c c' / v less. That is a sweep of the
 * matrix (Goodnight, The American Statistician 33, 1979). Several anchors are swept one
 * after the other, each as what it has beyond those before it; one that has next to nothing
 * of its own is left out.
 *
 * What the estimate then does not know: the residuals, with a degree of freedom less for each
 * slope; slopes, which are no better known than the memory tells, and count as far as the
 * set's own slices are off; and the anchors' own means. What was counted of these in part of
 * the window is a sample of it, drawn without replacement. And at its start the totals may
 * be off by what differs between the slices of two checkpoints: if these are b, and as unlike
 * each other as slices of the set are, by b / sqrt(12) of one.
 *
 * All of this is matrices of integers and sums of products of two vectors, so that metrics
 * of one set have it in common.
 */
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <kunit/visibility.h>

#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/stats/combine.h"
#include "libn3t/stats/covariance.h"
#include "libn3t/stats/errors.h"

#define MIN_DIFFERENCES 16	/* fewer would fit by chance */
#define MIN_SHARE	10	/* an anchor has 2^-this of its variance left, or is left out */
#define MIN_VARIATION	10	/* and so it is if it varies by less than 2^-this of itself */
#define LEFT_OUT_BITS	22	/* of what leaving a CPU out would change */
#define BY_TIME_BITS	29	/* of what varies with the time alone */
#define WEIGHT_BITS	30	/* of the fraction of a weight, which is below 4 */
#define INVERSE_BITS	32	/* of the fraction of an inverse, which is at most 2 */
#define RATIO_BITS	56	/* of the fraction of what is below 2^7 */

/*
 * So many bits have two deviations and a weight together: two weighted ones make up a column,
 * one is the row, and two products of these come to an entry, which has 62.
 */
#define EDGE_BITS	(61 - 2 + WEIGHT_BITS - N3T_ENTRY_BITS)
#define MAX_EDGE_BITS	29	/* times a slope, that is 61 */

static_assert((EDGE_BITS + WEIGHT_BITS + 2) / 2 + 1 < 63);

/*
 * Vectors whose products with each other are added to a matrix: two take the time off, two
 * are of the edges, two of what anchors leave of these, one is of an anchor.
 */
enum {
	TIME,
	TIME_TOO,
	FIRST,
	LAST,
	SWEPT_FIRST,
	SWEPT_LAST,
	ANCHOR,
	NR_PRODUCTS,
};

struct products {
	s64 row[NR_PRODUCTS];
	s64 column[NR_PRODUCTS];
};

/*
 * What goes with an anchor, beyond those before it: column * column' / variance of the
 * matrix. Each of two vectors that make up the product has half of the bits.
 * @bits: 2^this is about the root of the variance
 * @inverse: of the variance, times 2^(2 @bits)
 * @with: covariances of the parts with it, by 2^@bits
 * @slope: by its variance, times 2^@bits
 */
struct regressor {
	int bits;
	u64 inverse;
	s64 with[N3T_MAX_PARTS];
	s64 slope[N3T_MAX_PARTS];
};

/*
 * What an anchor tells.
 * @off: by how much the window's mean of it is above that of the set's own slices, in its
 *	 units per nanosecond, by 2^@regressor.bits
 * @mean_share: variance of the window's mean: so much of that of a slice of the set, for each
 */
struct anchor {
	struct regressor regressor;
	struct n3t_real off;
	struct n3t_real mean_share;
};

/*
 * The slices at either edge of the window, and the weights of the product of each with
 * itself and of the two, in 2^-WEIGHT_BITS. With these there is room for deviations of so many
 * @bits.
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
 * Room to work in, which is too much for a stack.
 * @sum: what the set counted
 * @first, @last: the slices at the edges
 * @means_known: @means are
 * @means: what anchors counted in the window
 * @per_window: 1 by its length
 * @time: the number of time in the matrix
 * @slices: how many add to the error
 * @each: 1 by @slices
 * @total: sums of the parts, with fractions of a count
 * @by_time: what varies with the time alone, by about the root of its variance
 * @with_time: covariances of the parts with the time, by the same
 * @edges: with the time off
 * @swept: the edges, less what anchors tell
 * @part: the vectors
 * @correction: of the rate of each part, N3T_RATE_UNIT to the second
 */
struct n3t_errors_work {
	const struct n3t_set_sum *sum;
	struct n3t_slice first;
	struct n3t_slice last;
	bool means_known;
	struct n3t_anchor_means means;
	struct n3t_real per_window;
	unsigned int time;
	u64 slices;
	struct n3t_real each;
	u64 total[N3T_MAX_PARTS];
	s64 by_time[N3T_MAX_PARTS];
	s64 with_time[N3T_MAX_PARTS];
	struct edges edges;
	struct edges swept;
	struct anchor anchor[N3T_MAX_ANCHORS];
	struct products *part;
	s64 correction[N3T_MAX_PARTS];
};

static const struct n3t_real one = {
	.mantissa = 1 << (N3T_REAL_BITS - 1),
	.exponent = 1 - N3T_REAL_BITS,
};

static const struct n3t_real twelfth = { .mantissa = 0x55555555, .exponent = -34 };

/* 1 by it, or 0 */
static struct n3t_real inverse_of(u64 count)
{
	return count ? n3t_real_div(one, n3t_real_count(count)) : n3t_real_count(0);
}

/* @a * 2^@bits */
static struct n3t_real shifted(struct n3t_real a, int bits)
{
	a.exponent += bits;
	return a;
}

/* @factor * @by, or as much as fits. */
static s64 times(struct n3t_real factor, s64 by)
{
	__int128 product = (__int128)by * factor.mantissa;

	if (factor.exponent <= 0)
		product >>= min(-factor.exponent, 127);
	else
		product *= 1ll << min(factor.exponent, 32);
	if (product > S64_MAX)
		return S64_MAX;
	return product < -S64_MAX ? -S64_MAX : (s64)product;
}

static s64 sum_of(s64 a, s64 b)
{
	s64 sum;

	return check_add_overflow(a, b, &sum) ? (b < 0 ? -S64_MAX : S64_MAX) : sum;
}

static int bits_of(s64 a)
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

/*
 * Those of parts that no metric combines are not kept; what overflows would have made an
 * interval that says nothing.
 */
static __always_inline void add_products(const struct n3t_errors *errors, s64 *entry,
					 unsigned int first, unsigned int end)
{
	const struct products *part = errors->work->part;
	const struct n3t_matrix *matrix = &errors->matrix;
	unsigned int i, k;

	for (i = 0; i < matrix->nr; i++)
		for (k = matrix->from[i]; k <= i; k++)
			*entry++ += product(part[i].row, part[k].column, first, end);
}

/* Both matrices in one pass: this is most of what errors cost. */
static void add_all(const struct n3t_errors *errors)
{
	const struct products *part = errors->work->part;
	const struct n3t_matrix *matrix = &errors->matrix;
	s64 *measured = errors->measured, *estimated = errors->estimated;
	unsigned int i, k, nr = matrix->nr;

	for (i = 0; i < nr; i++) {
		const struct products of = part[i];	/* not to be read again for each entry */

		for (k = matrix->from[i]; k <= i; k++) {
			const s64 *column = part[k].column;
			u64 sum = *measured + product(of.row, column, TIME, FIRST);

			*measured++ = sum + product(of.row, column, FIRST, SWEPT_FIRST);
			*estimated++ = sum + product(of.row, column, SWEPT_FIRST, NR_PRODUCTS);
		}
	}
}

/* Makes the unit of a part larger, wherever it is kept so far. */
static noinline void grow(struct n3t_errors *errors, unsigned int part, unsigned int by)
{
	struct n3t_matrix *matrix = &errors->matrix;
	unsigned int k, first = matrix->from[part], down = min(by, 63u);
	s64 *entry = &errors->measured[matrix->row[part]];

	matrix->shift[part] += by;
	for (k = first; k < part; k++)
		*entry++ >>= down;
	*entry >>= min(2 * by, 63u);
	for (k = part + 1; k < matrix->nr; k++)
		if (matrix->from[k] <= part)
			errors->measured[matrix->row[k] + part - matrix->from[k]] >>= down;
}

static u64 of_sum(const struct n3t_set_sum *sum, unsigned int part)
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

/* In 2^-RATIO_BITS, or as much as fits. */
static u64 ratio_of(struct n3t_real ratio)
{
	if (ratio.exponent + N3T_REAL_BITS > 63 - RATIO_BITS)
		return n3t_real_is_zero(ratio) ? 0 : S64_MAX;
	return times(shifted(ratio, RATIO_BITS), 1);
}

/* What falls to @ratio of the time if all rates are constant. */
static u64 share_of(u64 ratio, u64 total)
{
	return mul_u64_u64_shr(ratio, total, RATIO_BITS);
}

static void copy_edges(struct edges *to, const struct edges *from, unsigned int nr)
{
	memcpy(to->first, from->first, nr * sizeof(to->first[0]));
	memcpy(to->last, from->last, nr * sizeof(to->last[0]));
	to->of_first = from->of_first;
	to->of_last = from->of_last;
	to->of_both = from->of_both;
	to->bits = from->bits;
}

/* A sum or slice of a part with fractions of a count. */
static u64 fine(u64 count)
{
	return count << N3T_UNIT_BITS;
}

/* @a * 2^@bits, or what is left of it */
static u64 scaled(u64 a, int bits)
{
	return bits < 0 ? a >> -bits : a << bits;
}

/* Half of the bits of a variance. */
static int root_bits(s64 variance)
{
	return bits_of(max(variance, 0ll)) / 2;
}

/* Sums, and what of them would vary with the time if all rates were constant. */
static void find_by_time(struct n3t_errors *errors)
{
	struct n3t_errors_work *work = errors->work;
	struct n3t_matrix *matrix = &errors->matrix;
	unsigned int i;
	s64 variance;
	u64 ratio;
	int bits;

	for (i = 0; i < matrix->nr; i++) {
		work->total[i] = fine(of_sum(work->sum, matrix->part[i]));
		if (matrix->part[i] == N3T_PART_TIME)
			work->time = i;
	}
	variance = errors->measured[n3t_matrix_at(matrix, work->time, work->time)];
	bits = root_bits(variance) + matrix->shift[work->time] - N3T_UNIT_BITS;
	ratio = ratio_of(shifted(errors->per_ns, bits));
	for (i = 0; i < matrix->nr; i++) {
		s64 by_time = share_of(ratio, work->total[i]) >> matrix->shift[i];
		int beyond = bits_of(by_time) - BY_TIME_BITS;

		if (unlikely(beyond > 0)) {
			grow(errors, i, beyond);
			by_time >>= beyond;
		}
		work->by_time[i] = by_time;
	}
}

/* A part of a deviation that does not fit: its unit grows. */
static noinline s64 make_room(struct n3t_errors *errors, unsigned int part, s64 deviation)
{
	struct n3t_errors_work *work = errors->work;
	unsigned int by = bits_of(deviation) - work->edges.bits;

	grow(errors, part, by);
	work->by_time[part] >>= by;
	work->edges.first[part] >>= by;
	return deviation >> by;
}

/* What a slice has of each part beyond the mean, in units, which grow if it does not fit. */
static void find_deviations(struct n3t_errors *errors, const struct n3t_slice *slice,
			    s64 *deviation)
{
	u64 ratio = ratio_of(n3t_real_scale(errors->per_ns, slice->time_ns));
	const struct n3t_matrix *matrix = &errors->matrix;
	const u64 *word = (const u64 *)slice, *total = errors->work->total;
	unsigned int i, nr = matrix->nr;
	s64 most = 1ll << errors->work->edges.bits;
	const u8 *part = matrix->part;

	for (i = 0; i < nr; i++) {
		s64 by = fine(word[part[i]]) - share_of(ratio, total[i]);

		by >>= matrix->shift[i];
		if (unlikely(by <= -most || by >= most))
			by = make_room(errors, i, by);
		deviation[i] = by;
	}
}

/*
 * By how many slices of the set their mean time is off the middle of the window: after it
 * if above 0. At most 1: what is not there at all is no matter of edges.
 */
static struct n3t_real off_middle(const struct n3t_errors *errors)
{
	const struct n3t_view *view = errors->view;
	const struct n3t_set_sum *sum = errors->work->sum;
	u64 window_ns = view->until_ns - view->since_ns;
	u64 middle_ns = view->since_ns + window_ns / 2;
	s64 off_ns = sum->middles_ns - sum->slices * middle_ns;	/* for all slices */

	off_ns = clamp(off_ns, -(s64)window_ns, (s64)window_ns);
	return n3t_real_mul(n3t_real_make(off_ns, 0), errors->work->per_window);
}

static s64 fixed(struct n3t_real weight)
{
	return times(shifted(weight, WEIGHT_BITS), 1);
}

/* Weights are for each slice, as all of the matrix is. */
static void find_edges(struct n3t_errors *errors)
{
	struct n3t_errors_work *work = errors->work;
	struct edges *edges = &work->edges;
	struct n3t_real before;
	s64 apart, by_chance;

	apart = fixed(n3t_real_mul(n3t_real_square(off_middle(errors)), work->each));
	by_chance = fixed(n3t_real_mul(twelfth, work->each));
	edges->of_last = by_chance + apart;
	edges->of_both = by_chance - apart;
	edges->of_first = edges->of_last;
	if (errors->outside_ns) {
		before = n3t_real_div(n3t_real_count(errors->outside_ns),
				      n3t_real_count(work->first.time_ns));
		edges->of_first += fixed(n3t_real_mul(n3t_real_square(before), work->each));
	}
	edges->bits = min((EDGE_BITS - bits_of(edges->of_first)) / 2, MAX_EDGE_BITS);
	find_deviations(errors, &work->first, edges->first);
	find_deviations(errors, &work->last, edges->last);
}

/* @share in 2^-WEIGHT_BITS of what the edges add */
static void set_edges(struct n3t_errors *errors, const struct edges *edges, s64 share,
		      unsigned int first_product)
{
	s64 of_first = edges->of_first * share >> WEIGHT_BITS;
	s64 of_last = edges->of_last * share >> WEIGHT_BITS;
	s64 of_both = edges->of_both * share >> WEIGHT_BITS;
	struct products *part = errors->work->part;
	unsigned int i, nr = errors->matrix.nr;

	for (i = 0; i < nr; i++) {
		s64 first = edges->first[i], last = edges->last[i];
		s64 *column = &part[i].column[first_product];
		s64 *row = &part[i].row[first_product];

		row[0] = first;
		row[1] = last;
		column[0] = (of_first * first + of_both * last) >> (WEIGHT_BITS - N3T_ENTRY_BITS);
		column[1] = (of_both * first + of_last * last) >> (WEIGHT_BITS - N3T_ENTRY_BITS);
	}
}

/* Covariances of the parts with part @a; 0 for those that are not kept. */
static void get_column(const struct n3t_errors *errors, unsigned int a, s64 *column)
{
	const struct n3t_matrix *matrix = &errors->matrix;
	const s64 *entry = errors->measured;
	unsigned int i;

	for (i = 0; i <= a; i++)
		column[i] = i < matrix->from[a] ? 0 : entry[matrix->row[a] + i - matrix->from[a]];
	for (; i < matrix->nr; i++)
		column[i] = a < matrix->from[i] ? 0 : entry[matrix->row[i] + a - matrix->from[i]];
}

/* Makes of a column of covariances, of which @a is the variance, two vectors. */
static void split(struct regressor *regressor, unsigned int nr, unsigned int a)
{
	s64 variance = max(regressor->with[a], 0ll);
	unsigned int i;
	u64 rough;

	regressor->bits = root_bits(variance);
	rough = scaled(variance, INVERSE_BITS - 1 - 2 * regressor->bits);
	regressor->inverse = rough ? div64_u64(1ull << 63, rough) : 0;
	for (i = 0; i < nr; i++) {
		regressor->with[i] >>= regressor->bits;
		regressor->slope[i] = (__int128)regressor->with[i] * regressor->inverse >>
				      INVERSE_BITS;
	}
}

/*
 * With t the time and m the mean rates, x - m t in place of x:
 *
 *	cov(x - m t) = cov(x) + m (m var(t) - cov(t, x))' - cov(x, t) m'
 */
static void set_time(struct n3t_errors *errors)
{
	struct n3t_errors_work *work = errors->work;
	s64 *with_time = work->with_time, variance;
	struct products *part = work->part;
	unsigned int i, nr = errors->matrix.nr;
	u64 relative;
	int bits;

	get_column(errors, work->time, with_time);
	variance = max(with_time[work->time], 0ll);
	bits = root_bits(variance);
	relative = scaled(variance, INVERSE_BITS - 2 * bits);
	for (i = 0; i < nr; i++) {
		s64 by_time = work->by_time[i], with = with_time[i] >> bits;

		with_time[i] = with;
		part[i].row[TIME] = by_time;
		part[i].column[TIME] = (s64)(by_time * relative >> INVERSE_BITS) - with;
		part[i].row[TIME_TOO] = -with;
		part[i].column[TIME_TOO] = by_time;
	}
}

/* The number of a part in the matrix. */
static unsigned int number_of(const struct n3t_matrix *matrix, unsigned int part)
{
	unsigned int i;

	for (i = 0; i < matrix->nr && matrix->part[i] != part; i++)
		;
	return i;
}

/* The number of an anchor of the plan in the matrix; false if the set has it not. */
static bool find_anchor(const struct n3t_errors *errors, unsigned int anchor,
			unsigned int *number)
{
	u8 place = errors->view->plan->set[errors->set].anchor[anchor];

	if (place == N3T_NO_ANCHOR || !errors->work->means.time_ns[anchor])
		return false;
	*number = number_of(&errors->matrix, N3T_PART_COUNTS + place);
	return *number < errors->matrix.nr;
}

/* What varies by no more than a share of itself is noise of the measurement. */
static bool varies(const struct n3t_errors *errors, s64 variance, unsigned int a)
{
	const struct n3t_errors_work *work = errors->work;
	u64 mean = div64_u64(work->total[a], work->slices) >> errors->matrix.shift[a];
	u64 least = min(mean >> (MIN_VARIATION - N3T_ENTRY_BITS / 2), 1ull << 31);

	return variance > (s64)(least * least);
}

/* False if there is next to nothing in it that is not in the anchors before it. */
static bool find_with(const struct n3t_errors *errors, struct regressor *anchor, unsigned int a)
{
	const struct n3t_errors_work *work = errors->work;
	const struct products of = work->part[a], *part = work->part;
	unsigned int i, k, nr = errors->matrix.nr;
	s64 whole;

	get_column(errors, a, anchor->with);
	for (i = 0; i < nr; i++)
		anchor->with[i] += product(part[i].row, of.column, TIME, FIRST);
	whole = anchor->with[a];
	for (k = 0; k < errors->nr_anchors; k++) {
		const struct regressor *before = &work->anchor[k].regressor;

		for (i = 0; i < nr; i++)
			anchor->with[i] -= before->with[i] * before->slope[a];
	}
	if (anchor->with[a] <= max(whole >> MIN_SHARE, 0ll) ||
	    !varies(errors, anchor->with[a], a))
		return false;
	split(anchor, nr, a);
	return true;
}

/* By how much the window's mean of an anchor is above that of the set, and how sure that is. */
static void find_mean(const struct n3t_errors *errors, struct anchor *anchor, unsigned int a,
		      struct n3t_real per_ns, u64 time_ns)
{
	const struct n3t_errors_work *work = errors->work;
	const struct n3t_set_sum *sum = work->sum;
	u64 window_ns = errors->view->until_ns - errors->view->since_ns;
	u64 missed_ns = window_ns - min(time_ns, window_ns);
	unsigned int i, between = work->means.between;
	struct n3t_real slices, at_start, own_share, off;

	off = n3t_real_scale(errors->per_ns, of_sum(sum, errors->matrix.part[a]));
	off = n3t_real_add(per_ns, n3t_real_neg(off));
	off = shifted(off, N3T_UNIT_BITS - errors->matrix.shift[a]);
	for (i = 0; i < errors->nr_anchors; i++) {
		const struct anchor *before = &work->anchor[i];
		struct n3t_real slope = n3t_real_make(-before->regressor.slope[a], 0);

		off = n3t_real_add(off, n3t_real_mul(slope, before->off));
	}
	anchor->off = shifted(off, -anchor->regressor.bits);

	/* Slices as long as the set's own are. */
	own_share = n3t_real_div(n3t_real_count(sum->time_ns), n3t_real_count(time_ns));
	slices = n3t_real_scale(n3t_real_scale(work->per_window, missed_ns), sum->slices);
	at_start = n3t_real_mul(own_share, n3t_real_scale(twelfth, between * between));
	anchor->mean_share = n3t_real_mul(n3t_real_add(slices, at_start),
					  n3t_real_mul(own_share, work->each));
}

/* Leaves of the edges what the anchor does not tell. */
static void sweep_edges(const struct n3t_errors *errors, struct edges *edges,
			const struct regressor *anchor, unsigned int a)
{
	s64 first = edges->first[a], last = edges->last[a], most = 1ll << edges->bits;
	unsigned int i, nr = errors->matrix.nr;

	for (i = 0; i < nr; i++) {
		s64 slope = anchor->slope[i];

		/* What does not fit is far off what its variance would let expect. */
		edges->first[i] = clamp(edges->first[i] - (slope * first >> anchor->bits),
					-most, most);
		edges->last[i] = clamp(edges->last[i] - (slope * last >> anchor->bits),
				       -most, most);
	}
}

static void add_correction(const struct n3t_errors *errors, const struct anchor *anchor)
{
	const struct n3t_real unit = n3t_real_count((u64)N3T_RATE_UNIT * NSEC_PER_SEC);
	struct n3t_real off = shifted(n3t_real_mul(anchor->off, unit), -N3T_UNIT_BITS);
	struct n3t_errors_work *work = errors->work;
	unsigned int i;

	for (i = 0; i < errors->matrix.nr; i++)
		work->correction[i] = sum_of(work->correction[i],
					     times(shifted(off, errors->matrix.shift[i]),
						   anchor->regressor.slope[i]));
}

static void regress(struct n3t_errors *errors)
{
	struct n3t_errors_work *work = errors->work;
	const struct n3t_anchor_means *means = &work->means;
	unsigned int i, a;

	memset(work->correction, 0, errors->matrix.nr * sizeof(work->correction[0]));
	for (i = 0; i < errors->view->plan->nr_anchors; i++) {
		struct anchor *anchor = &work->anchor[errors->nr_anchors];

		if (!find_anchor(errors, i, &a) || !find_with(errors, &anchor->regressor, a))
			continue;
		find_mean(errors, anchor, a, means->per_ns[i], means->time_ns[i]);
		add_correction(errors, anchor);
		sweep_edges(errors, &work->swept, &anchor->regressor, a);
		errors->nr_anchors++;
	}
}

/*
 * By how much what anchors leave varies more than it seems to: each slope has taken a degree
 * of freedom, and is no better known than the others tell.
 */
static struct n3t_real residual_share(const struct n3t_errors *errors)
{
	const struct n3t_errors_work *work = errors->work;
	struct n3t_real sum = {};
	unsigned int i;

	for (i = 0; i < errors->nr_anchors; i++) {
		const struct anchor *anchor = &work->anchor[i];
		struct n3t_real inverse = n3t_real_make(anchor->regressor.inverse, -INVERSE_BITS);

		sum = n3t_real_add(sum, n3t_real_mul(n3t_real_square(anchor->off), inverse));
	}
	sum = n3t_real_mul(sum, n3t_real_square(n3t_real_count(work->sum->time_ns)));
	sum = shifted(n3t_real_mul(sum, work->each), N3T_ENTRY_BITS);
	return n3t_real_div(n3t_real_add(n3t_real_count(errors->freedom), sum),
			    n3t_real_count(errors->estimate_freedom));
}

/* What an anchor tells is taken off, but for the error of its mean. */
static void set_anchor(const struct n3t_errors *errors, const struct anchor *anchor,
		       struct n3t_real share)
{
	s64 of_mean = fixed(n3t_real_mul(anchor->mean_share, share));
	struct products *part = errors->work->part;
	unsigned int i, nr = errors->matrix.nr;

	for (i = 0; i < nr; i++) {
		s64 with = anchor->regressor.with[i];

		part[i].row[ANCHOR] = (s64)((__int128)with * of_mean >> WEIGHT_BITS) - with;
		part[i].column[ANCHOR] = anchor->regressor.slope[i];
	}
}

/* All but what @share is for is to be added once. */
static void find_estimated(struct n3t_errors *errors)
{
	struct n3t_errors_work *work = errors->work;
	struct n3t_real share;
	unsigned int i;

	errors->estimate_freedom = max(errors->freedom, errors->nr_anchors + 1ull) -
				   errors->nr_anchors;
	share = residual_share(errors);
	errors->estimate_scale = n3t_real_mul(share, errors->scale);
	share = n3t_real_div(one, share);
	set_edges(errors, &work->swept, fixed(share), SWEPT_FIRST);
	set_anchor(errors, &work->anchor[0], share);
	add_all(errors);
	for (i = 1; i < errors->nr_anchors; i++) {
		set_anchor(errors, &work->anchor[i], share);
		add_products(errors, errors->estimated, ANCHOR, NR_PRODUCTS);
	}
}

static bool may_regress(struct n3t_errors *errors)
{
	const struct n3t_view *view = errors->view;
	struct n3t_errors_work *work = errors->work;

	if (!view->plan->nr_anchors || errors->slices <= MIN_DIFFERENCES ||
	    view->until_ns == view->since_ns || !work->sum->time_ns)
		return false;
	if (!work->means_known) {
		n3t_anchors_since(view->anchors, view->since_ns, &work->means);
		work->means_known = true;
	}
	return true;
}

static void find_errors(struct n3t_errors *errors, bool has_edges)
{
	struct n3t_errors_work *work = errors->work;

	work->slices = work->sum->slices + !has_edges;
	work->each = inverse_of(work->slices);
	work->per_window = inverse_of(errors->view->until_ns - errors->view->since_ns);
	errors->scale = n3t_real_count(work->slices);
	find_by_time(errors);
	if (has_edges)
		find_edges(errors);
	else
		memset(&work->edges, 0, sizeof(work->edges));
	set_time(errors);
	set_edges(errors, &work->edges, 1ll << WEIGHT_BITS, FIRST);
	if (may_regress(errors)) {
		copy_edges(&work->swept, &work->edges, errors->matrix.nr);
		regress(errors);
	}
	if (errors->nr_anchors)
		find_estimated(errors);
	else
		add_products(errors, errors->measured, TIME, SWEPT_FIRST);
}

/* One slice so far, or none: the error is that of leaving the CPU out. */
static void leave_out(struct n3t_errors *errors)
{
	const struct n3t_matrix *matrix = &errors->matrix;
	struct n3t_errors_work *work = errors->work;
	unsigned int i;

	errors->scale = one;
	errors->freedom = 1;
	memset(errors->measured, 0, matrix->nr_entries * sizeof(s64));
	for (i = 0; i < matrix->nr; i++) {
		unsigned int part = matrix->part[i];
		u64 count = part == N3T_PART_TIME ? 0 : of_sum(work->sum, part);
		int down = max(fls64(count) - LEFT_OUT_BITS, 0);

		errors->matrix.shift[i] = down + N3T_UNIT_BITS;
		work->part[i].column[ANCHOR] = count >> down;
		work->part[i].row[ANCHOR] = work->part[i].column[ANCHOR] << N3T_ENTRY_BITS;
	}
	add_products(errors, errors->measured, ANCHOR, NR_PRODUCTS);
}

static u64 ns_outside(const struct n3t_slice *slice, u64 since_ns)
{
	u64 inside_ns = slice->end_ns - min(slice->end_ns, since_ns);

	return slice->time_ns - min(slice->time_ns, inside_ns);
}

/**
 * n3t_errors_bytes() - memory that errors need
 * @size: of the matrices of all CPUs that they are to be of
 *
 * Context: Any.
 * Return: the size in bytes.
 */
size_t n3t_errors_bytes(const struct n3t_matrix_size *size)
{
	return sizeof(struct n3t_errors) + sizeof(struct n3t_errors_work) +
	       size->parts * sizeof(struct products) + 2 * size->entries * sizeof(s64);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_errors_bytes);

/**
 * n3t_errors_init() - begin with no CPU
 * @errors: n3t_errors_bytes() of memory
 * @size: as there
 *
 * Context: Any.
 */
void n3t_errors_init(struct n3t_errors *errors, const struct n3t_matrix_size *size)
{
	errors->view = NULL;
	errors->work = (struct n3t_errors_work *)(errors + 1);
	errors->work->part = (struct products *)(errors->work + 1);
	errors->measured = (s64 *)(errors->work->part + size->parts);
	errors->estimated = errors->measured + size->entries;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_errors_init);

static void find_rates(struct n3t_errors *errors)
{
	const struct n3t_set_sum *sum = errors->work->sum;
	const struct n3t_matrix *matrix = &errors->matrix;
	unsigned int i;

	for (i = 0; i < matrix->nr; i++) {
		u64 rate = 0;

		/* If the clock did not advance there is no rate. */
		if (matrix->part[i] != N3T_PART_TIME && sum->time_ns)
			rate = n3t_rate(of_sum(sum, matrix->part[i]), sum->time_ns);
		errors->rate[i] = rate;
		errors->corrected[i] = rate;
		if (errors->nr_anchors)
			errors->corrected[i] = max(sum_of(rate, errors->work->correction[i]), 0ll);
	}
}

/**
 * n3t_view_errors() - how far what a set counted in a window is off what there was
 * @view: the CPU, with a window
 * @set: the set
 *
 * They are found once for metrics of one set that are asked for one after the other.
 *
 * Context: Any CPU; not in what may interrupt the sampler, for which it waits while it adds
 * a slice to the covariances. Needs no lock. One caller at a time for views that have
 * @view->errors in common.
 * Return: the answer, which stays until another CPU or set is asked for.
 */
const struct n3t_errors *n3t_view_errors(const struct n3t_view *view, unsigned int set)
{
	struct n3t_errors *errors = view->errors;
	struct n3t_errors_work *work = errors->work;
	u64 differences;
	bool has_edges;

	if (errors->view == view && errors->set == set)
		return errors;
	if (errors->view != view)
		work->means_known = false;

	errors->view = view;
	errors->set = set;
	errors->nr_anchors = 0;
	work->sum = n3t_window_set(view->window, set);
	has_edges = n3t_ring_edges(view->ring, set, work->sum, &work->first, &work->last);
	errors->outside_ns = has_edges ? ns_outside(&work->first, view->since_ns) : 0;
	errors->per_ns = inverse_of(work->sum->time_ns);
	differences = n3t_covariance_read(view->covariance, set, &errors->matrix, errors->measured,
					  &errors->freedom);
	errors->slices = differences ? differences + 1 : 0;
	if (differences)
		find_errors(errors, has_edges);
	else
		leave_out(errors);
	find_rates(errors);
	return errors;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_view_errors);

/**
 * n3t_errors_rates() - rates of a metric's events, as counted and as anchors correct them
 * @errors: of the metric's set
 * @weighing: the parts that the metric is formed from
 * @measured: what the rates are added to, in the order of the formula, N3T_RATE_UNIT to the
 *	      second
 * @corrected: likewise; none of these rates is below 0
 *
 * Context: Any.
 */
void n3t_errors_rates(const struct n3t_errors *errors, const struct n3t_weighing *weighing,
		      struct n3t_counts *measured, struct n3t_counts *corrected)
{
	unsigned int n, e;

	for (n = 0; n < weighing->nr; n++) {
		unsigned int part = weighing->part[n];
		u64 rate = errors->rate[weighing->position[n]];
		u64 by_anchors = errors->corrected[weighing->position[n]];

		if (part == N3T_PART_CYCLES) {
			measured->cycles += rate;
			corrected->cycles += by_anchors;
			continue;
		}
		for (e = 0; e < measured->nr; e++) {
			if (!(weighing->summed[e] >> (part - N3T_PART_COUNTS) & 1))
				continue;
			measured->count[e] += rate;
			corrected->count[e] += by_anchors;
		}
	}
}
EXPORT_SYMBOL_IF_KUNIT(n3t_errors_rates);
