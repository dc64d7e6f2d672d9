// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * How far a value can be trusted: 95 % interval, coverage, number of slices.
 *
 * A value is a ratio estimate: a formula over the sums of the n slices of a window. The
 * formula's gradient at those sums makes a residual of each slice, and the variance of
 * the value is that of the sum of residuals (Cochran, "Sampling Techniques", 3rd edition,
 * sections 2.11 and 6.3; Wolter, "Introduction to Variance Estimation", chapter 6):
 *
 *	n * gradient' * covariance * gradient
 *
 * The covariance of a slice is not estimated from the window but has a memory
 * (covariance.c): four slices that saw no burst would be sure that there are none. What
 * a window has of its own is its edges. Whether the slice next to one still falls into it
 * is chance, so at either edge there is a share of a slice too much or too little: shares
 * a and b of the slices with residuals r (the first) and s (the last). Their difference
 * is known from where the slices lie: half of it is how many slices their mean time is off
 * the middle of the window. Of their sum the variance is known, 1/3: that of two numbers
 * uniform between 0 and 1 that are rounded to 0 or 1 by chance. So to the variance comes
 *
 *	((b - a) / 2 * (s - r))^2 + (r + s)^2 / 12
 *
 * And a slice that began before the window counts whole: the square of the part outside
 * more.
 *
 * Several CPUs are strata, each with its own slices: the gradient is that of the value
 * over all, with each CPU's weight in it, and the CPUs' variances add up. The degrees of
 * freedom are Satterthwaite's (Biometrics Bulletin 2, 1946).
 *
 * The interval is meant for the window: what the metric was over all of it, counted or
 * not. No share of the population is taken off for what was counted: where work
 * alternates with the slices that would be wrong.
 *
 * Cost: two slices are looked at, and a small matrix.
 */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <kunit/visibility.h>

#include "bottleneck.h"
#include "combine.h"
#include "covariance.h"
#include "formula.h"
#include "plan.h"
#include "quality.h"
#include "real.h"
#include "slices.h"
#include "spec.h"
#include "student.h"
#include "text.h"

#define GUARD_DECIMALS	4	/* computed with beyond those that are shown */
#define GUARD_FACTOR	10000
#define SANE_MAX	(S64_MAX / 4)	/* sums of two such do not overflow */
#define MOST_POINTS	50	/* half an interval of a percentage beyond it says nothing */
#define MOST_TIMES	3	/* nor one beyond so many times the value elsewhere */
#define COVERAGE_DECIMALS	2	/* it is in 1/100 % */

/* A metric has at most so many events, with one more for STALL_SLOT, and cycles. */
#define MOST_WEIGHTS	(N3T_FORMULA_EVENTS + 2)
#define ALIGNED_BITS	58	/* and 64 of a count, 3 of as many as there may be */

/*
 * A CPU's part in a value.
 * @plan: what all but @view, @sum, @edges, @unit and the weight of time was found for:
 *	  CPUs with the same plan have it in common
 * @unit: what all weights are to be multiplied by
 * @weight: of the parts of a slice
 * @nr: how many of cycles and counts have a weight
 * @position: of each among the counts; beyond them for cycles
 * @aligned: of each the weight as an integer
 * @exponent: of all of these
 * @weighing: for n3t_covariance_spread()
 */
struct share {
	const struct n3t_view *view;
	const struct n3t_set_sum *sum;
	const struct n3t_edges *edges;
	const struct n3t_plan *plan;
	const struct n3t_set *set;
	struct n3t_real unit;
	struct n3t_real weight[N3T_MAX_PARTS];
	unsigned int nr;
	u8 position[MOST_WEIGHTS];
	s64 aligned[MOST_WEIGHTS];
	int exponent;
	struct n3t_weighing weighing;
};

/* What is gathered from CPUs. */
struct gathering {
	enum n3t_metric metric;
	bool combines;			/* rates of several CPUs, not counts of one */
	struct n3t_gradient gradient;
	struct share share;		/* of the CPU that is looked at */
	bool unbounded;			/* nothing can be said about the error */
	u64 slices;
	u64 remembered;
	u64 counted_ns;
	u64 window_ns;
	struct n3t_real variance;
	struct n3t_real per_freedom;	/* sum of each CPU's variance^2 / degrees of freedom */
	struct n3t_real squares;	/* what is still to be divided by @freedom there */
	u64 freedom;
};

static struct n3t_real square(struct n3t_real a)
{
	return n3t_real_mul(a, a);
}

static struct n3t_real scaled_by(struct n3t_real a, u64 factor)
{
	return n3t_real_mul(a, n3t_real_count(factor));
}

static bool is_sane(const struct n3t_quality *quality)
{
	return quality->guarded <= SANE_MAX && quality->guarded >= -SANE_MAX;
}

static void gathering_begin(struct gathering *gathering, struct n3t_quality *quality,
			    const struct n3t_counts *counts)
{
	enum n3t_metric metric = gathering->metric;

	gathering->unbounded = quality->verdict != N3T_VALUE;
	if (gathering->unbounded)
		return;

	quality->guarded = n3t_ratio_cut_off(&quality->value,
					     n3t_metrics[metric].decimals + GUARD_DECIMALS);
	if (!is_sane(quality) ||
	    n3t_formula_gradient(n3t_metric_formula(metric), counts, &gathering->gradient))
		gathering->unbounded = true;
}

/*
 * Weights of cycles and counts as integers with one exponent: sums of products are exact then,
 * which matters as residuals are small differences of large products.
 */
static void align_weights(struct share *share)
{
	struct n3t_real weight[MOST_WEIGHTS];
	unsigned int i, nr = 0;
	int most = 0;

	for (i = 0; i <= share->set->nr && nr < MOST_WEIGHTS; i++) {
		bool is_cycles = i == share->set->nr;

		weight[nr] = share->weight[is_cycles ? N3T_PART_CYCLES : N3T_PART_COUNTS + i];
		if (n3t_real_is_zero(weight[nr]))
			continue;
		most = nr ? max(most, weight[nr].exponent) : weight[nr].exponent;
		share->position[nr++] = is_cycles ? N3T_MAX_COUNTERS : i;
	}
	for (i = 0; i < nr; i++)
		share->aligned[i] = (s64)weight[i].mantissa *
				    (1ll << (ALIGNED_BITS - N3T_REAL_BITS)) >>
				    min(most - weight[i].exponent, 63);
	share->nr = nr;
	share->exponent = most - (ALIGNED_BITS - N3T_REAL_BITS);
}

/* A weighted sum of cycles and counts, for those of a slice and for sums of slices. */
static struct n3t_real weigh_counts(const struct share *share, u64 cycles, const u64 *count)
{
	__int128 sum = 0;
	unsigned int i;

	for (i = 0; i < share->nr; i++) {
		unsigned int position = share->position[i];

		sum += (__int128)share->aligned[i] *
		       (position < N3T_MAX_COUNTERS ? count[position] : cycles);
	}
	return n3t_real_wide(sum, share->exponent);
}

/* How the value changes with the counts of the set that the metric is formed from. */
static void weigh_set(struct share *share, const struct gathering *gathering)
{
	const struct n3t_formula *formula = n3t_metric_formula(gathering->metric);
	struct n3t_real *weight = share->weight;
	unsigned int i, k;

	weight[N3T_PART_CYCLES] = gathering->gradient.cycles;
	for (i = 0; i < formula->nr_events; i++) {
		u32 summed = n3t_counts_summed(share->set->code, share->set->nr,
					       formula->code[i]);

		for (k = 0; summed; k++, summed >>= 1)
			if (summed & 1)
				weight[N3T_PART_COUNTS + k] =
					n3t_real_add(weight[N3T_PART_COUNTS + k],
						     gathering->gradient.event[i]);
	}
}

/*
 * A rate is a ratio as well, of counts to time: with the weight of time, what an average
 * slice of the CPU adds is 0.
 */
static void weigh_time(struct share *share)
{
	const struct n3t_set_sum *sum = share->sum;
	struct n3t_real per_ns = share->edges->per_ns;
	struct n3t_real all = weigh_counts(share, sum->cycles, sum->count);

	share->unit = scaled_by(per_ns, N3T_RATE_UNIT * NSEC_PER_SEC);
	share->weight[N3T_PART_TIME] = n3t_real_neg(n3t_real_mul(all, per_ns));
}

/* What a slice adds to the value beyond the average. */
static struct n3t_real residual_of(const struct share *share, const struct n3t_slice *slice)
{
	struct n3t_real time = n3t_real_mul(share->weight[N3T_PART_TIME],
					    n3t_real_count(slice->time_ns));

	return n3t_real_add(time, weigh_counts(share, slice->cycles, slice->count));
}

static u64 ns_outside(const struct n3t_slice *slice, u64 since_ns)
{
	u64 inside_ns = slice->end_ns - min(slice->end_ns, since_ns);

	return slice->time_ns - min(slice->time_ns, inside_ns);
}

/*
 * By how many slices of the set their mean time is off the middle of the window: after it
 * if above 0. At most 1: what is not there at all is no matter of edges.
 */
static struct n3t_real off_middle(const struct n3t_view *view, const struct n3t_set_sum *sum)
{
	u64 window_ns = view->until_ns - view->since_ns;
	u64 middle_ns = view->since_ns + window_ns / 2;
	s64 off_ns = sum->middles_ns - sum->slices * middle_ns;	/* for all slices */

	if (!window_ns)
		return n3t_real_count(0);
	off_ns = clamp(off_ns, -(s64)window_ns, (s64)window_ns);
	return n3t_real_div(n3t_real_make(off_ns, 0), n3t_real_count(window_ns));
}

/* What all metrics of a set need. */
static void place_edges(struct n3t_edges *edges, const struct n3t_view *view,
			const struct n3t_set_sum *sum)
{
	const struct n3t_slice *first = &edges->first;
	const struct n3t_real none = {};

	edges->per_ns = none;
	edges->before = none;
	edges->outside_ns = edges->held ? ns_outside(first, view->since_ns) : 0;
	if (sum->time_ns)
		edges->per_ns = n3t_real_div(n3t_real_count(1), n3t_real_count(sum->time_ns));
	if (edges->outside_ns)
		edges->before = n3t_real_div(n3t_real_count(edges->outside_ns),
					     n3t_real_count(first->time_ns));
	edges->off_middle = off_middle(view, sum);
	edges->placed = true;
}

/* Variance of the sum of residuals from the window's edges. */
static struct n3t_real edge_variance(const struct share *share)
{
	const struct n3t_edges *edges = share->edges;
	struct n3t_real at_first = residual_of(share, &edges->first);
	struct n3t_real at_last = residual_of(share, &edges->last);
	struct n3t_real differ = n3t_real_add(at_last, n3t_real_neg(at_first));
	const struct n3t_real twelfth = { .mantissa = 0x55555555, .exponent = -34 };
	struct n3t_real known, by_chance;

	known = square(n3t_real_mul(edges->off_middle, differ));
	by_chance = n3t_real_mul(square(n3t_real_add(at_first, at_last)), twelfth);
	return n3t_real_add(n3t_real_add(known, by_chance),
			    square(n3t_real_mul(at_first, edges->before)));
}

static void add_squares(struct gathering *gathering)
{
	if (gathering->freedom)
		gathering->per_freedom =
			n3t_real_add(gathering->per_freedom,
				     n3t_real_div(gathering->squares,
						  n3t_real_count(gathering->freedom)));
	gathering->squares = n3t_real_count(0);
}

/* Adds the variance that one CPU has in the value, in units of its own. */
static void add_variance(struct gathering *gathering, const struct share *share,
			 struct n3t_real variance, u64 freedom)
{
	if (gathering->combines)
		variance = n3t_real_mul(variance, square(share->unit));
	gathering->variance = n3t_real_add(gathering->variance, variance);
	if (freedom != gathering->freedom)
		add_squares(gathering);
	gathering->freedom = freedom;
	gathering->squares = n3t_real_add(gathering->squares, square(variance));
}

/* Once for CPUs with the same plan. */
static void weigh(struct gathering *gathering)
{
	struct share *share = &gathering->share;
	const struct n3t_plan *plan = share->view->plan;

	if (share->plan == plan)
		return;

	if (share->plan)
		memset(share->weight, 0, sizeof(share->weight));
	share->plan = plan;
	share->set = &plan->set[plan->set_of[gathering->metric]];
	weigh_set(share, gathering);
	align_weights(share);
	/* That of time is of each CPU, and comes later. */
	if (gathering->combines)
		share->weight[N3T_PART_TIME] = n3t_real_count(1);
	n3t_covariance_choose(share->view->covariance, plan->set_of[gathering->metric],
			      share->weight, &share->weighing);
}

static void gather_variance(struct gathering *gathering)
{
	struct share *share = &gathering->share;
	const struct n3t_view *view = share->view;
	struct n3t_real variance, at_edges, all;
	struct n3t_spread spread;

	weigh(gathering);
	if (gathering->combines)
		weigh_time(share);

	if (n3t_covariance_spread(view->covariance, view->plan->set_of[gathering->metric],
				  share->weight, &share->weighing, &spread)) {
		variance = scaled_by(spread.variance, share->sum->slices);
		at_edges = share->edges->held ? edge_variance(share) : spread.variance;
		add_variance(gathering, share, n3t_real_add(variance, at_edges), spread.freedom);
		gathering->remembered += spread.differences + 1;
	} else if (gathering->combines) {
		/* One slice so far: the error is that of leaving the CPU out. */
		all = scaled_by(share->weight[N3T_PART_TIME], share->sum->time_ns);
		add_variance(gathering, share, square(all), 1);
		gathering->remembered++;
	} else {
		gathering->unbounded = true;
	}
}

static void gather(struct gathering *gathering, const struct n3t_view *view)
{
	unsigned int set = view->plan->set_of[gathering->metric];
	const struct n3t_set_sum *sum = n3t_window_set(view->window, set);
	struct n3t_edges *edges = n3t_window_edges(view->window, set);

	if (!edges->placed)
		place_edges(edges, view, sum);
	gathering->window_ns += view->until_ns - view->since_ns;
	gathering->slices += sum->slices;
	gathering->counted_ns += sum->time_ns - edges->outside_ns;
	if (gathering->unbounded)
		return;

	gathering->share.view = view;
	gathering->share.sum = sum;
	gathering->share.edges = edges;
	gather_variance(gathering);
}

/* To nearest, but at least 1. */
static u64 degrees_of_freedom(const struct gathering *gathering)
{
	const struct n3t_real half = n3t_real_make(1, -1);
	struct n3t_real freedom;

	if (n3t_real_is_zero(gathering->per_freedom))
		return 1;
	freedom = n3t_real_div(square(gathering->variance), gathering->per_freedom);
	return max(n3t_real_ceil(n3t_real_add(freedom, n3t_real_neg(half))), 1ull);
}

static s64 shown_floor(s64 value)
{
	s64 quotient = div_s64(value, GUARD_FACTOR);

	return quotient * GUARD_FACTOR > value ? quotient - 1 : quotient;
}

static s64 shown_ceil(s64 value)
{
	return -shown_floor(-value);
}

/* Would an interval of that half width be wider than what is known without one? */
static bool says_nothing(const struct n3t_metric_info *info, s64 guarded, u64 half)
{
	u64 value = guarded < 0 ? -guarded : guarded;

	if (!strncmp(info->unit, "percent", strlen("percent")))
		return half > MOST_POINTS * int_pow(10, info->decimals + GUARD_DECIMALS);
	return half > MOST_TIMES * value;
}

static void gathering_end(struct gathering *gathering, struct n3t_quality *quality)
{
	const struct n3t_metric_info *info = &n3t_metrics[gathering->metric];
	struct n3t_real half_real;
	u64 half;

	quality->slices = gathering->slices;
	quality->remembered = gathering->remembered;
	if (gathering->window_ns)
		quality->coverage = min(div64_u64(gathering->counted_ns * 10000,
						  gathering->window_ns), 10000ull);
	if (gathering->unbounded)
		return;

	add_squares(gathering);
	half_real = n3t_student_half(gathering->variance, degrees_of_freedom(gathering));
	half = n3t_real_ceil(scaled_by(half_real, int_pow(10, info->decimals + GUARD_DECIMALS)));
	if (half > SANE_MAX || says_nothing(info, quality->guarded, half))
		return;
	quality->bounded = true;
	quality->error = shown_ceil(half);
	quality->low = shown_floor(quality->guarded - (s64)half);
	quality->high = shown_ceil(quality->guarded + (s64)half);
}

/**
 * n3t_quality_of_cpu() - the value of a metric on one CPU and how good it is
 * @quality: the answer
 * @metric: the metric
 * @view: the CPU
 *
 * Context: Any.
 * Return: 0.
 */
int n3t_quality_of_cpu(struct n3t_quality *quality, enum n3t_metric metric,
		       const struct n3t_view *view)
{
	struct gathering gathering = { .metric = metric };
	struct n3t_counts counts;

	memset(quality, 0, sizeof(*quality));
	quality->verdict = n3t_metric_counts(metric, view->state, view->plan, view->window,
					     &counts);
	if (quality->verdict == N3T_VALUE)
		quality->verdict = n3t_formula_eval(n3t_metric_formula(metric), &counts,
						    &quality->value);
	if (!view->window || view->plan->set_of[metric] == N3T_NO_SET)
		return 0;

	gathering_begin(&gathering, quality, &counts);
	gather(&gathering, view);
	gathering_end(&gathering, quality);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_quality_of_cpu);

/**
 * n3t_quality_of_several() - the value of a metric over several CPUs and how good it is
 * @quality: the answer
 * @metric: the metric
 * @views: the CPUs
 * @nr: how many
 *
 * The value is that of n3t_combine_views(). Slices and coverage are of the CPUs
 * that are in it. A CPU with one slice only adds the error that leaving it out
 * would make.
 *
 * Context: May sleep.
 * Return: 0, or -EINTR for a fatal signal; then @quality is not to be used.
 */
int n3t_quality_of_several(struct n3t_quality *quality, enum n3t_metric metric,
			   struct n3t_view *views, unsigned int nr)
{
	struct gathering gathering = { .metric = metric, .combines = true };
	struct n3t_combined combined;
	unsigned int i;

	memset(quality, 0, sizeof(*quality));
	quality->verdict = n3t_combine_views(&combined, metric, views, nr, &quality->value);

	gathering_begin(&gathering, quality, &combined.rates);
	for (i = 0; i < nr; i++) {
		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
		if (views[i].included)
			gather(&gathering, &views[i]);
	}
	gathering_end(&gathering, quality);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_quality_of_several);

/**
 * n3t_quality_estimate() - what n3t_bottleneck_step() needs to know of a metric
 * @estimate: the answer
 * @metric: the metric
 * @quality: its value and how good that is
 */
void n3t_quality_estimate(struct n3t_estimate *estimate, enum n3t_metric metric,
			  const struct n3t_quality *quality)
{
	memset(estimate, 0, sizeof(*estimate));
	estimate->verdict = quality->verdict;
	estimate->error = N3T_ERROR_UNKNOWN;
	if (quality->verdict != N3T_VALUE)
		return;

	if (is_sane(quality))
		estimate->value = n3t_scaled_round(quality->guarded, GUARD_FACTOR);
	else
		estimate->value = n3t_ratio_scaled(&quality->value, n3t_metrics[metric].decimals);
	if (quality->bounded)
		estimate->error = quality->error;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_quality_estimate);

static void add_bound(struct n3t_text *text, bool bounded, s64 bound, unsigned int decimals)
{
	if (bounded)
		n3t_text_add_scaled(text, bound, decimals);
	else
		n3t_text_add(text, "none");
}

/**
 * n3t_quality_print() - a line of a quality file
 * @buf: where to; always terminated
 * @size: bytes there, not 0; 256 hold any line
 * @metric: the metric
 * @quality: its quality
 *
 *	backend_bound value=43.0021 low=42.8120 high=43.1923 coverage=49.87 slices=50
 *	ipc value=stale low=none high=none coverage=0.00 slices=0
 *
 * "none" is printed if there is no value, if the error is learnt from fewer than
 * N3T_INTERVAL_SLICES slices, or if the interval would say nothing: half of it above
 * 50 points of a percentage, above three times the value elsewhere.
 *
 * Return: length of the text in @buf
 */
size_t n3t_quality_print(char *buf, size_t size, enum n3t_metric metric,
			 const struct n3t_quality *quality)
{
	bool bounded = quality->bounded && quality->remembered >= N3T_INTERVAL_SLICES;
	const struct n3t_metric_info *info = &n3t_metrics[metric];
	const char *word = n3t_verdict_word(quality->verdict);
	struct n3t_text text = { .buf = buf, .size = size };

	n3t_text_add(&text, info->name);
	n3t_text_add(&text, " value=");
	if (word)
		n3t_text_add(&text, word);
	else if (is_sane(quality))
		n3t_text_add_scaled(&text, n3t_scaled_round(quality->guarded, GUARD_FACTOR),
				    info->decimals);
	else
		n3t_text_add_ratio(&text, &quality->value, info->decimals);
	n3t_text_add(&text, " low=");
	add_bound(&text, bounded, quality->low, info->decimals);
	n3t_text_add(&text, " high=");
	add_bound(&text, bounded, quality->high, info->decimals);
	n3t_text_add(&text, " coverage=");
	n3t_text_add_scaled(&text, quality->coverage, COVERAGE_DECIMALS);
	n3t_text_add(&text, " slices=");
	n3t_text_add_scaled(&text, quality->slices, 0);
	n3t_text_add(&text, "\n");
	return text.len;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_quality_print);
