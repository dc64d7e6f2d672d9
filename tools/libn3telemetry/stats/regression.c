// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Correction of a set's counts by anchors.
 *
 * An anchor is counted in every slice, so its mean over the window is known, and with it the
 * error of its mean over the set's own slices. A count that correlates with the anchor is off
 * by that error times the slope of a regression (Cochran, "Sampling Techniques", 3rd edition,
 * chapters 7 and 12; Särndal, Swensson and Wretman, "Model Assisted Survey Sampling",
 * chapters 6 and 9). Slopes follow from the same covariances: with c those of the parts with
 * the anchor and v its variance, slopes are c / v, and the covariances of the residuals are
 * smaller by c c' / v. That is a sweep of the matrix (Goodnight, The American Statistician
 * 33, 1979). Several anchors are swept one after the other, each by its residual after those
 * before it; an anchor with hardly any residual is left out.
 *
 * The error of the estimate has three sources: the residuals, with a degree of freedom less for
 * each slope; the slopes, which are as uncertain as the history and count in proportion to the
 * error of the set's own slices; and the anchors' own means. An anchor that was only counted in
 * part of the window is a sample of it, drawn without replacement. At the start of the window the
 * totals are uncertain by the variation within the slices between two checkpoints: b such slices,
 * if they vary like slices of the set, contribute an error of b / sqrt(12) slices.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "libn3t/plan.h"
#include "libn3t/combine.h"
#include "libn3telemetry/stats/moments.h"
#include "libn3telemetry/stats/errors_work.h"

#define MIN_DIFFERENCES	16	/* fewer would fit by chance */
#define MIN_SHARE	10	/* residual variance of an anchor in use: 2^-this of its variance */
#define MIN_VARIATION	10	/* standard deviation of an anchor in use: 2^-this of its mean */

static void copy_edges(struct edges *to, const struct edges *from, unsigned int nr)
{
	memcpy(to->first, from->first, nr * sizeof(to->first[0]));
	memcpy(to->last, from->last, nr * sizeof(to->last[0]));
	to->of_first = from->of_first;
	to->of_last = from->of_last;
	to->of_both = from->of_both;
	to->bits = from->bits;
}

/* Turn a column of covariances, with the variance at @a, into two vectors. */
static void split(struct regressor *regressor, unsigned int nr, unsigned int a)
{
	s64 variance = max(regressor->with[a], 0ll);
	u64 rough;

	regressor->bits = root_bits(variance);
	rough = scaled(variance, INVERSE_BITS - 1 - 2 * regressor->bits);
	regressor->inverse = rough ? div64_u64(1ull << 63, rough) : 0;
	for (unsigned int i = 0; i < nr; i++) {
		regressor->with[i] >>= regressor->bits;
		regressor->slope[i] = (__int128)regressor->with[i] * regressor->inverse >>
				      INVERSE_BITS;
	}
}

/* Row of a part in the matrix. */
static unsigned int number_of(const struct n3t_matrix *matrix, unsigned int part)
{
	unsigned int i;

	for (i = 0; i < matrix->nr && matrix->part[i] != part; i++)
		;
	return i;
}

/* Row of an anchor of the plan in the matrix; false if the set does not have it. */
static bool find_anchor(const struct n3t_errors *errors, unsigned int anchor,
			unsigned int *number)
{
	u8 place = errors->view->plan->set[errors->set].anchor[anchor];

	if (place == N3T_NO_ANCHOR || !errors->work->means.time_ns[anchor])
		return false;
	*number = number_of(&errors->matrix, N3T_PART_COUNTS + place);
	return *number < errors->matrix.nr;
}

/* Variation below a fraction of the mean is measurement noise. */
static bool varies(const struct n3t_errors *errors, s64 variance, unsigned int a)
{
	const struct n3t_errors_work *work = errors->work;
	u64 mean = div64_u64(work->total[a], work->slices) >> errors->matrix.shift[a];
	u64 least = min(mean >> (MIN_VARIATION - N3T_ENTRY_BITS / 2), 1ull << 31);

	return variance > (s64)(least * least);
}

/* False if the anchors before it explain nearly all of its variance. */
static bool find_with(const struct n3t_errors *errors, struct regressor *anchor, unsigned int a)
{
	const struct n3t_errors_work *work = errors->work;
	const struct products own = work->part[a], *part = work->part;
	unsigned int nr = errors->matrix.nr;
	s64 whole;

	get_column(errors, a, anchor->with);
	for (unsigned int i = 0; i < nr; i++)
		anchor->with[i] += product(part[i].row, own.column, V_TIME, V_FIRST);
	whole = anchor->with[a];
	for (unsigned int k = 0; k < errors->nr_anchors; k++) {
		const struct regressor *before = &work->anchor[k].regressor;

		for (unsigned int i = 0; i < nr; i++)
			anchor->with[i] -= before->with[i] * before->slope[a];
	}
	if (anchor->with[a] <= max(whole >> MIN_SHARE, 0ll) ||
	    !varies(errors, anchor->with[a], a))
		return false;
	split(anchor, nr, a);
	return true;
}

/* Excess of the window's mean of an anchor over that of the set, and its uncertainty. */
static void find_mean(const struct n3t_errors *errors, struct anchor *anchor, unsigned int a,
		      double per_ns, u64 time_ns)
{
	const struct n3t_errors_work *work = errors->work;
	const struct n3t_set_sum *sum = work->sum;
	u64 window_ns = errors->until_ns - errors->since_ns;
	u64 missed_ns = window_ns - min(time_ns, window_ns);
	unsigned int between = work->means.between;
	double slices, at_start, own_share, off;

	off = per_ns - errors->per_ns * of_sum(sum, errors->matrix.part[a]);
	off = ldexp(off, N3T_UNIT_BITS - errors->matrix.shift[a]);
	for (unsigned int i = 0; i < errors->nr_anchors; i++) {
		const struct anchor *before = &work->anchor[i];

		off -= before->regressor.slope[a] * before->off;
	}
	anchor->off = ldexp(off, -anchor->regressor.bits);

	/* In slices of the average length of the set's own. */
	own_share = (double)sum->time_ns / time_ns;
	slices = work->per_window * missed_ns * sum->slices;
	at_start = own_share * between * between / 12;
	anchor->mean_share = (slices + at_start) * own_share * work->each;
}

/* Reduce the edges to the part that the anchor does not explain. */
static void sweep_edges(const struct n3t_errors *errors, struct edges *edges,
			const struct regressor *anchor, unsigned int a)
{
	s64 first = edges->first[a], last = edges->last[a], most = 1ll << edges->bits;
	unsigned int nr = errors->matrix.nr;

	for (unsigned int i = 0; i < nr; i++) {
		s64 slope = anchor->slope[i];

		/* A value that does not fit is far outside its expected variance. */
		edges->first[i] = clamp(edges->first[i] - (slope * first >> anchor->bits),
					-most, most);
		edges->last[i] = clamp(edges->last[i] - (slope * last >> anchor->bits),
				       -most, most);
	}
}

static void add_correction(const struct n3t_errors *errors, const struct anchor *anchor)
{
	const double off = anchor->off * N3T_RATE_UNIT * NSEC_PER_SEC;
	struct n3t_errors_work *work = errors->work;

	for (unsigned int i = 0; i < errors->matrix.nr; i++) {
		int bits = errors->matrix.shift[i] - N3T_UNIT_BITS;
		double by = ldexp(off * anchor->regressor.slope[i], bits);

		work->correction[i] = sum_of(work->correction[i], saturated(by));
	}
}

static bool may_regress(struct n3t_errors *errors)
{
	const struct cpu_view *view = errors->view;
	struct n3t_errors_work *work = errors->work;

	if (!view->plan->nr_anchors || errors->slices <= MIN_DIFFERENCES ||
	    errors->until_ns == errors->since_ns || !work->sum->time_ns)
		return false;
	if (!work->means_known) {
		moments_anchors(view->moments, &work->means);
		work->means_known = true;
	}
	return true;
}

/* Collect the anchors with a residual of their own for the correction of the set. */
void n3t_regression_find(struct n3t_errors *errors)
{
	struct n3t_errors_work *work = errors->work;
	const struct n3t_anchor_means *means = &work->means;
	unsigned int a;

	if (!may_regress(errors))
		return;

	copy_edges(&work->swept, &work->edges, errors->matrix.nr);
	memset(work->correction, 0, errors->matrix.nr * sizeof(work->correction[0]));
	for (unsigned int i = 0; i < errors->view->plan->nr_anchors; i++) {
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
 * Factor by which the residuals vary more than they seem to: each slope has used up a degree
 * of freedom, and has an error of its own.
 */
double n3t_regression_share(const struct n3t_errors *errors)
{
	const struct n3t_errors_work *work = errors->work;
	double sum = 0;

	for (unsigned int i = 0; i < errors->nr_anchors; i++) {
		const struct anchor *anchor = &work->anchor[i];
		double inverse = ldexp(anchor->regressor.inverse, -INVERSE_BITS);

		sum += square(anchor->off) * inverse;
	}
	sum *= square(work->sum->time_ns) * work->each;
	sum = ldexp(sum, N3T_ENTRY_BITS);
	return (errors->freedom + sum) / errors->estimate_freedom;
}

/* Subtract the part explained by an anchor, except for the error of its mean. */
void n3t_regression_set_anchor(const struct n3t_errors *errors, const struct anchor *anchor,
			       double share)
{
	s64 of_mean = fixed(anchor->mean_share * share);
	struct products *part = errors->work->part;
	unsigned int nr = errors->matrix.nr;

	for (unsigned int i = 0; i < nr; i++) {
		s64 with = anchor->regressor.with[i];

		part[i].row[V_ANCHOR] = (s64)((__int128)with * of_mean >> WEIGHT_BITS) - with;
		part[i].column[V_ANCHOR] = anchor->regressor.slope[i];
	}
}
