// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * How far a value can be trusted: 95 % interval, coverage, number of slices.
 *
 * A value is a ratio estimate: a formula over sums of slices. Its standard
 * error comes from the jackknife: the formula is evaluated again with each
 * slice left out, exactly, and with n slices
 *
 *	variance = (n - 1) / n * sum of (value without slice i - value)^2
 *
 * Why not Taylor linearisation: both agree for many slices alike, but the
 * jackknife needs no derivatives, so any formula will do, and it stays honest
 * when slices are few or of very unequal size. A slice that holds most of the
 * cycles dominates the value, so its residual looks small; leaving it out shows
 * how much the value depends on it. (Wolter, "Introduction to Variance
 * Estimation", chapter 4; Royall and Cumberland, JASA 76, 1981.)
 *
 * Several CPUs are strata, each with its own slices: a slice is left out of
 * its CPU's rate alone, and the CPUs' variances add up. The degrees of freedom
 * are Satterthwaite's (Biometrics Bulletin 2, 1946), those of one CPU n - 1.
 *
 * The interval is meant for the window: what the metric was over all of it,
 * counted or not. It rests on slices that are spread over the window without
 * regard to what runs. Four slices of a workload in two long phases lie in the
 * same phase once in eight windows; no estimate from the slices can know.
 *
 * Cost: one evaluation of the formula for each slice in the window, by the
 * reader.
 */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <kunit/visibility.h>

#include "bottleneck.h"
#include "combine.h"
#include "formula.h"
#include "plan.h"
#include "quality.h"
#include "slices.h"
#include "spec.h"
#include "student.h"

#define GUARD_DECIMALS	4	/* computed with beyond those that are shown */
#define GUARD_FACTOR	10000
#define FACTOR_SHIFT	18	/* what leaves 64 bits for the rate of one count in 1 ns */
#define SANE_MAX	(S64_MAX / 4)	/* sums of two such do not overflow */

/*
 * What the jackknife gathers. Values are in units of the last decimal shown
 * divided by GUARD_FACTOR, variances in squares of that.
 */
struct jackknife {
	enum n3t_metric metric;
	const struct n3t_counts *rates;	/* of all CPUs; NULL for one CPU by itself */
	s64 value;			/* with all slices */
	bool unbounded;			/* nothing can be said about the error */
	bool is_killed;			/* by a fatal signal: the answer is not needed */
	u64 slices;
	u64 counted_ns;
	u64 window_ns;
	struct n3t_wide variance;
	struct n3t_wide per_freedom;	/* sum of each CPU's variance^2 / (n - 1) */
};

static const struct n3t_set_sum *sum_of(const struct n3t_view *view, enum n3t_metric metric)
{
	return &view->window->sum[view->plan->set_of[metric]];
}

static s64 work_scaled(enum n3t_metric metric, const struct n3t_ratio *value)
{
	return n3t_ratio_scaled(value, n3t_metrics[metric].decimals + GUARD_DECIMALS);
}

/* How far the formula moves from the value with all slices; false if that is unknown. */
static bool moved_by(const struct jackknife *jackknife, const struct n3t_counts *counts, u64 *by)
{
	struct n3t_ratio value;
	s64 scaled;

	if (n3t_formula_eval(n3t_metric_formula(jackknife->metric), counts, &value) != N3T_VALUE)
		return false;
	scaled = work_scaled(jackknife->metric, &value);
	if (scaled == S64_MAX || scaled == S64_MIN)
		return false;
	*by = scaled > jackknife->value ? (u64)scaled - (u64)jackknife->value :
					  (u64)jackknife->value - (u64)scaled;
	return true;
}

/* What is left of a CPU's counts without one slice. */
static void leave_out(struct n3t_counts *counts, const struct n3t_slice *slice)
{
	unsigned int i;

	counts->cycles -= slice->cycles;
	for (i = 0; i < counts->nr; i++)
		counts->count[i] -= slice->count[i];
}

/* Subtracts a CPU's rates from those of all. */
static void subtract_rates(struct n3t_counts *rates, const struct n3t_counts *counts, u64 time_ns)
{
	unsigned int i;
	u64 count;

	rates->cycles -= n3t_rate(counts->cycles, time_ns);
	for (i = 0; i < rates->nr; i++)
		if (!n3t_counts_get(counts, rates->code[i], &count))
			rates->count[i] -= n3t_rate(count, time_ns);
}

/*
 * Adds a CPU's rates to those of all. Here all are multiples of one factor, which is
 * within 2^-28 of what it should be for the longest window: exact rates, with a
 * division each, took half of the time for an error.
 */
static void add_rates(struct n3t_counts *rates, const struct n3t_counts *counts, u64 time_ns)
{
	u64 factor = div64_u64(((u64)N3T_RATE_UNIT * NSEC_PER_SEC) << FACTOR_SHIFT, time_ns);
	unsigned int i;
	u64 count;

	rates->cycles += mul_u64_u64_shr(counts->cycles, factor, FACTOR_SHIFT);
	for (i = 0; i < rates->nr; i++)
		if (!n3t_counts_get(counts, rates->code[i], &count))
			rates->count[i] += mul_u64_u64_shr(count, factor, FACTOR_SHIFT);
}

/* As moved_by(), for one slice of one CPU left out. */
static bool moved_without(const struct jackknife *jackknife, const struct n3t_view *view,
			  const struct n3t_counts *others, const struct n3t_slice *slice, u64 *by)
{
	const struct n3t_set_sum *sum = sum_of(view, jackknife->metric);
	struct n3t_counts counts;

	n3t_set_counts(&view->plan->set[slice->set], sum, &counts);
	leave_out(&counts, slice);
	if (jackknife->rates) {
		struct n3t_counts rates = *others;

		/* A CPU with one slice: the error is that of leaving the CPU out. */
		if (sum->time_ns > slice->time_ns)
			add_rates(&rates, &counts, sum->time_ns - slice->time_ns);
		return moved_by(jackknife, &rates, by);
	}
	return moved_by(jackknife, &counts, by);
}

static void add_square(struct jackknife *jackknife, struct n3t_wide *squares, u64 by)
{
	struct n3t_wide square;

	wide_set(&square, by);
	if (wide_mul(&square, &square, &square) || wide_add(squares, &square))
		jackknife->unbounded = true;
}

/* Adds a CPU's variance, squares * (n - 1) / seen, to that of all. */
static void add_variance(struct jackknife *jackknife, const struct n3t_wide *squares, u64 nr,
			 u64 seen)
{
	struct n3t_wide freedom, factor, product, variance, rem;

	wide_set(&freedom, max(nr - 1, 1ull));
	wide_set(&factor, seen);
	if (wide_mul(&product, squares, &freedom))
		goto too_large;
	wide_div(&product, &factor, &variance, &rem);

	if (wide_add(&jackknife->variance, &variance) ||
	    wide_mul(&product, &variance, &variance))
		goto too_large;
	wide_div(&product, &freedom, &variance, &rem);
	if (!wide_add(&jackknife->per_freedom, &variance))
		return;

too_large:
	jackknife->unbounded = true;
}

/*
 * Visits the slices that are in the window's sum, the newest first: none that
 * ended after it was summed up, and none that the ring no longer holds. The
 * writer may have wrapped around to the oldest meanwhile, so fewer may be seen.
 */
static void visit_slices(struct jackknife *jackknife, const struct n3t_view *view,
			 const struct n3t_counts *others)
{
	const struct n3t_set_sum *sum = sum_of(view, jackknife->metric);
	unsigned int set = view->plan->set_of[jackknife->metric];
	struct n3t_wide squares = {};
	struct n3t_slice slice;
	u64 index, by, seen = 0;

	if (!n3t_ring_newest(view->ring, &index, &slice))
		return;
	do {
		cond_resched();
		jackknife->is_killed = fatal_signal_pending(current);
		if (jackknife->is_killed || slice.end_ns < view->since_ns)
			break;
		if (slice.end_ns > view->window->newest_ns || slice.set != set ||
		    slice.state != N3T_SLICE_KEPT)
			continue;
		seen++;
		jackknife->counted_ns += min(slice.time_ns, slice.end_ns - view->since_ns);
		if (jackknife->unbounded)
			continue;
		if (moved_without(jackknife, view, others, &slice, &by))
			add_square(jackknife, &squares, by);
		else
			jackknife->unbounded = true;
	} while (index && n3t_ring_read(view->ring, --index, &slice));

	if (seen)
		add_variance(jackknife, &squares, sum->slices, seen);
	else
		jackknife->unbounded = true;
}

/* The rates of all CPUs but this one. */
static void find_others(const struct jackknife *jackknife, const struct n3t_view *view,
			struct n3t_counts *others)
{
	const struct n3t_set_sum *sum = sum_of(view, jackknife->metric);
	struct n3t_counts counts;

	*others = *jackknife->rates;
	n3t_set_counts(&view->plan->set[view->plan->set_of[jackknife->metric]], sum, &counts);
	subtract_rates(others, &counts, sum->time_ns);
}

static void jackknife_begin(struct jackknife *jackknife, enum n3t_metric metric,
			    const struct n3t_quality *quality, const struct n3t_counts *rates)
{
	memset(jackknife, 0, sizeof(*jackknife));
	jackknife->metric = metric;
	jackknife->rates = rates;
	jackknife->unbounded = quality->verdict != N3T_VALUE;
	if (jackknife->unbounded)
		return;

	jackknife->value = work_scaled(metric, &quality->value);
	if (jackknife->value == S64_MAX || jackknife->value == S64_MIN)
		jackknife->unbounded = true;
}

static void jackknife_add(struct jackknife *jackknife, const struct n3t_view *view)
{
	struct n3t_counts others;

	jackknife->window_ns += view->until_ns - view->since_ns;
	jackknife->slices += sum_of(view, jackknife->metric)->slices;
	if (jackknife->rates)
		find_others(jackknife, view, &others);
	visit_slices(jackknife, view, &others);
}

static u64 degrees_of_freedom(const struct jackknife *jackknife)
{
	struct n3t_ratio freedom = { .den = jackknife->per_freedom };
	s64 whole;

	/* Variances so small that their squares are rounded to 0. */
	if (wide_is_zero(&freedom.den))
		return 1;
	if (wide_mul(&freedom.num, &jackknife->variance, &jackknife->variance))
		return 1;
	/* To nearest: rounding of the parts must not turn n - 1 into n - 2. */
	whole = n3t_ratio_scaled(&freedom, 0);
	return max(whole, 1ll);
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

static int jackknife_end(const struct jackknife *jackknife, struct n3t_quality *quality)
{
	u64 half;

	if (jackknife->is_killed)
		return -EINTR;

	quality->slices = jackknife->slices;
	if (jackknife->window_ns)
		quality->coverage = min(div64_u64(jackknife->counted_ns * 10000,
						  jackknife->window_ns), 10000ull);
	if (jackknife->unbounded)
		return 0;

	half = n3t_student_half(&jackknife->variance, degrees_of_freedom(jackknife));
	if (half > SANE_MAX || jackknife->value > SANE_MAX || jackknife->value < -SANE_MAX)
		return 0;
	quality->bounded = true;
	quality->error = shown_ceil(half);
	quality->low = shown_floor(jackknife->value - (s64)half);
	quality->high = shown_ceil(jackknife->value + (s64)half);
	return 0;
}

static bool has_sum(const struct n3t_view *view, enum n3t_metric metric)
{
	return view->window && view->plan->set_of[metric] != N3T_NO_SET;
}

/**
 * n3t_quality_of_cpu() - the value of a metric on one CPU and how good it is
 * @quality: the answer
 * @metric: the metric
 * @view: the CPU
 *
 * Context: May sleep.
 * Return: 0, or -EINTR for a fatal signal; then @quality is not to be used.
 */
int n3t_quality_of_cpu(struct n3t_quality *quality, enum n3t_metric metric,
		       const struct n3t_view *view)
{
	struct jackknife jackknife;

	memset(quality, 0, sizeof(*quality));
	quality->verdict = n3t_view_value(view, metric, &quality->value);
	jackknife_begin(&jackknife, metric, quality, NULL);
	if (has_sum(view, metric))
		jackknife_add(&jackknife, view);
	return jackknife_end(&jackknife, quality);
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
	struct n3t_combined combined;
	struct jackknife jackknife;
	unsigned int i;

	memset(quality, 0, sizeof(*quality));
	quality->verdict = n3t_combine_views(&combined, metric, views, nr, &quality->value);

	jackknife_begin(&jackknife, metric, quality, &combined.rates);
	for (i = 0; i < nr; i++)
		if (views[i].included)
			jackknife_add(&jackknife, &views[i]);
	return jackknife_end(&jackknife, quality);
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

	estimate->value = n3t_ratio_scaled(&quality->value, n3t_metrics[metric].decimals);
	if (quality->bounded)
		estimate->error = quality->error;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_quality_estimate);

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
 * "none" is printed if there are fewer than N3T_INTERVAL_SLICES slices, no
 * value, or a slice without which there would be no value.
 *
 * Return: length of the text in @buf
 */
size_t n3t_quality_print(char *buf, size_t size, enum n3t_metric metric,
			 const struct n3t_quality *quality)
{
	const struct n3t_metric_info *info = &n3t_metrics[metric];
	char low[N3T_SCALED_SIZE] = "none", high[N3T_SCALED_SIZE] = "none";
	const char *word = n3t_verdict_word(quality->verdict);
	char value[N3T_RATIO_SIZE];

	if (!word)
		n3t_ratio_print(value, sizeof(value), &quality->value, info->decimals);
	if (quality->bounded && quality->slices >= N3T_INTERVAL_SLICES) {
		n3t_scaled_print(low, sizeof(low), quality->low, info->decimals);
		n3t_scaled_print(high, sizeof(high), quality->high, info->decimals);
	}
	return scnprintf(buf, size, "%s value=%s low=%s high=%s coverage=%u.%02u slices=%llu\n",
			 info->name, word ?: value, low, high, quality->coverage / 100,
			 quality->coverage % 100, quality->slices);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_quality_print);
