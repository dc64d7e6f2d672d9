// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Quality of a value: 95 % interval, coverage, number of slices.
 *
 * A value is a ratio estimate: a formula over sums of slices. Its error is that of a smooth
 * function of these sums, by the formula's gradient (Cochran, "Sampling Techniques", 3rd
 * edition, sections 2.11 and 6.3; Wolter, "Introduction to Variance Estimation", chapter 6):
 *
 *	variance = gradient' * matrix * gradient
 *
 * with the matrix of errors.c. It exists twice: for the measured value, formed from events
 * counted together, and for the estimate, formed from rates corrected by anchors.
 *
 * For several CPUs, the errors of those with the same plan are pooled first (pool.c).
 *
 * The interval covers the metric over the whole window, counted or not. It is not
 * narrowed by the share that was counted (finite population correction): that would be
 * wrong if the work alternates in step with the slices.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "libn3t/formula.h"
#include "libn3t/plan.h"
#include "libn3telemetry/stats/real.h"
#include "libn3t/slices.h"
#include "libn3t/spec.h"
#include "libn3t/combine.h"
#include "libn3telemetry/stats/errors.h"
#include "libn3telemetry/stats/matrix.h"
#include "libn3telemetry/stats/pool.h"
#include "libn3telemetry/stats/quality.h"
#include "libn3telemetry/stats/scaled.h"
#include "libn3telemetry/stats/spec_words.h"

#define GUARD_DECIMALS	4	/* guard digits beyond those shown */
#define GUARD_FACTOR	10000
#define SANE_MAX	(S64_MAX / 4)	/* the sum of two does not overflow */
#define COVERAGE_DECIMALS	2	/* in units of 1/100 % */

/*
 * Variation of a number with the counts of each CPU.
 * @unbounded: the error is unknown
 * @gradient: gradient of the formula
 * @weights: weights of the parts of a slice, for CPUs with one plan
 * @variance: accumulated variance
 * @per_freedom: sum of each CPU's variance^2 / degrees of freedom
 * @squares: part of that sum still to be divided by @freedom
 */
struct change {
	bool unbounded;
	struct n3t_gradient gradient;
	struct n3t_weights weights;
	double variance;
	double per_freedom;
	double squares;
	u64 freedom;
};

/*
 * State accumulated over CPUs.
 * @digits: factor that scales a value to all digits computed
 * @corrects: anchors correct the values of some CPU
 * @plan: the plan that @weighing belongs to
 * @rates: sums of the CPUs' rates
 * @corrected: the same after correction by anchors
 */
struct gathering {
	enum n3t_metric metric;
	u64 digits;
	bool corrects;
	const struct n3t_plan *plan;
	struct n3t_weighing weighing;
	struct n3t_combined rates;
	struct n3t_combined corrected;
	struct change value;
	struct change estimate;
	u64 slices;
	u64 remembered;
	u64 counted_ns;
	u64 window_ns;
};

static bool is_sane(const struct n3t_bounds *bounds)
{
	return bounds->guarded <= SANE_MAX && bounds->guarded >= -SANE_MAX;
}

static void gathering_begin(struct gathering *gathering, enum n3t_metric metric)
{
	gathering->metric = metric;
	gathering->digits = int_pow(10, n3t_metrics[metric].decimals + GUARD_DECIMALS);
	gathering->corrects = false;
	gathering->plan = NULL;
	gathering->slices = 0;
	gathering->remembered = 0;
	gathering->counted_ns = 0;
	gathering->window_ns = 0;
	n3t_combine_begin(&gathering->rates, metric);
	n3t_combine_begin(&gathering->corrected, metric);
}

static void change_begin(struct change *change, enum n3t_metric metric, bool known,
			 const struct n3t_counts *counts)
{
	change->variance = 0;
	change->per_freedom = 0;
	change->squares = 0;
	change->freedom = 0;
	change->unbounded = !known || n3t_formula_gradient(n3t_metric_formula(metric), counts,
							   &change->gradient);
}

/* Done once for successive CPUs with the same plan. */
static void choose(struct gathering *gathering, const struct cpu_view *view,
		   const struct n3t_errors *errors)
{
	if (gathering->plan == view->plan)
		return;

	gathering->plan = view->plan;
	n3t_weighing_choose(&gathering->weighing, &errors->matrix,
			    &view->plan->set[errors->set], n3t_metric_formula(gathering->metric));
}

static void weigh(struct gathering *gathering)
{
	const struct n3t_formula *formula = n3t_metric_formula(gathering->metric);

	if (!gathering->value.unbounded)
		n3t_weights_set(&gathering->value.weights, &gathering->weighing, formula,
				&gathering->value.gradient);
	if (gathering->corrects && !gathering->estimate.unbounded)
		n3t_weights_set(&gathering->estimate.weights, &gathering->weighing, formula,
				&gathering->estimate.gradient);
}

static void add_squares(struct change *change)
{
	if (change->freedom)
		change->per_freedom += change->squares / change->freedom;
	change->squares = 0;
}

/* Add the variance of one CPU. */
static void add_variance(struct change *change, double variance, u64 freedom)
{
	change->variance += variance;
	if (freedom != change->freedom)
		add_squares(change);
	change->freedom = freedom;
	change->squares += square(variance);
}

static void gather_change(struct gathering *gathering, struct change *change,
			  const struct n3t_errors *errors, double unit, bool estimated)
{
	double variance, scale = estimated ? errors->estimate_scale : errors->scale;

	if (change->unbounded)
		return;
	variance = n3t_weights_variance(&change->weights, &gathering->weighing, &errors->matrix,
					estimated ? errors->estimated : errors->measured);
	variance *= scale * square(unit);
	add_variance(change, variance, estimated ? errors->estimate_freedom : errors->freedom);
}

/* Accumulate a single CPU; its estimate uses rates. */
static void gather_cpu(struct gathering *gathering, const struct cpu_view *view)
{
	unsigned int set = view->plan->set_of[gathering->metric];
	const struct n3t_set_sum *sum = n3t_window_set(view->window, set);
	const struct n3t_errors *errors = n3t_view_errors(view, set);

	gathering->window_ns = errors->until_ns - errors->since_ns;
	gathering->slices = sum->slices;
	gathering->counted_ns = sum->time_ns - errors->outside_ns;
	gathering->remembered = errors->slices;
	gathering->value.unbounded |= !errors->slices;

	choose(gathering, view, errors);
	weigh(gathering);
	gather_change(gathering, &gathering->value, errors, 1, false);
	if (gathering->corrects)
		gather_change(gathering, &gathering->estimate, errors,
			      errors->per_ns * N3T_RATE_UNIT * NSEC_PER_SEC,
			      true);
}

static void gather_pool(struct gathering *gathering, const struct cpu_view *view)
{
	const struct n3t_pool *pool = view->pool;
	const struct n3t_errors *errors = &pool->errors;

	gathering->window_ns += pool->window_ns;
	gathering->slices += pool->slices;
	gathering->counted_ns += pool->counted_ns;
	gathering->remembered += errors->slices;

	choose(gathering, view, errors);
	weigh(gathering);
	gather_change(gathering, &gathering->value, errors, 1, false);
	if (gathering->corrects)
		gather_change(gathering, &gathering->estimate, errors, 1,
			      errors->nr_anchors);
}

/* To nearest, but at least 1. One CPU, or CPUs with one plan, use theirs directly. */
static u64 degrees_of_freedom(struct change *change)
{
	if (!change->per_freedom)
		return max(change->freedom, 1ull);
	add_squares(change);
	return max(rounded(square(change->variance) / change->per_freedom), 1ull);
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

/* Is an interval of that half-width too wide to be useful? */
static bool is_too_wide(const struct gathering *gathering, s64 guarded, u64 half)
{
	u64 value = guarded < 0 ? -guarded : guarded;

	if (!strncmp(n3t_metric_units[gathering->metric]->name, "percent", strlen("percent")))
		return half > N3T_USEFUL_POINTS * gathering->digits;
	return half > N3T_USEFUL_TIMES * value;
}

/*
 * Student's t, 97.5 % quantile, in thousandths. Source: NIST/SEMATECH e-Handbook
 * of Statistical Methods, section 1.3.6.7.2.
 */
static const u16 quantiles[] = {
	0,     12706, 4303, 3182, 2776, 2571, 2447, 2365, 2306, 2262, 2228,
	/* 11 */ 2201, 2179, 2160, 2145, 2131, 2120, 2110, 2101, 2093, 2086,
	/* 21 */ 2080, 2074, 2069, 2064, 2060, 2056, 2052, 2048, 2045, 2042,
};

/* Between two rows of the table the former applies, with the wider interval. */
static unsigned int quantile(u64 freedom)
{
	if (freedom < ARRAY_SIZE(quantiles))
		return quantiles[freedom];
	if (freedom < 40)
		return quantiles[30];
	if (freedom < 60)
		return 2021;
	if (freedom < 100)
		return 2000;
	return 1984;
}

/* Half of a 95 % interval: t * sqrt(@variance). @freedom is at least 1. */
static double half_width(double variance, u64 freedom)
{
	return sqrt(variance) * quantile(freedom) / 1000;
}

static void find_bounds(const struct gathering *gathering, struct change *change,
			struct n3t_bounds *bounds)
{
	double error;
	u64 half;

	if (change->unbounded || !is_sane(bounds))
		return;

	error = half_width(change->variance, degrees_of_freedom(change));
	half = raised(error * gathering->digits);
	if (half > SANE_MAX || is_too_wide(gathering, bounds->guarded, half))
		return;
	bounds->bounded = true;
	bounds->error = shown_ceil(half);
	bounds->low = shown_floor(bounds->guarded - (s64)half);
	bounds->high = shown_ceil(bounds->guarded + (s64)half);
}

/* Rounded away from zero: the guard digits exceed the accuracy of the estimate anyway. */
static s64 guarded_estimate(const struct gathering *gathering, double value)
{
	double guarded = value * gathering->digits;

	return saturated(guarded < 0 ? floor(guarded) : ceil(guarded));
}

static void gathering_end(struct gathering *gathering, struct n3t_quality *quality)
{
	struct change *estimate = &gathering->estimate;

	quality->slices = gathering->slices;
	quality->remembered = gathering->remembered;
	if (gathering->window_ns)
		quality->coverage = min(div64_u64(gathering->counted_ns * 10000,
						  gathering->window_ns), 10000ull);
	find_bounds(gathering, &gathering->value, &quality->measured);
	quality->estimate = quality->measured;
	if (!gathering->corrects || estimate->unbounded)
		return;

	quality->estimate.bounded = false;
	quality->estimate.guarded = guarded_estimate(gathering, estimate->gradient.value);
	/* Implausibly large: the correction left a denominator close to 0. */
	if (!is_sane(&quality->estimate)) {
		quality->estimate = quality->measured;
		return;
	}
	find_bounds(gathering, estimate, &quality->estimate);
}

/* Set the exact value, and the value with guard digits. */
static void set_value(struct n3t_quality *quality, enum n3t_metric metric)
{
	struct n3t_bounds *measured = &quality->measured;

	if (quality->verdict == N3T_VALUE)
		measured->guarded = n3t_ratio_cut_off(&measured->value, GUARD_DECIMALS +
						      n3t_metrics[metric].decimals);
}

/* Add the rates of a CPU, measured and corrected. */
static void add_rates(struct gathering *gathering, const struct cpu_view *view,
		      const struct n3t_errors *errors)
{
	choose(gathering, view, errors);
	n3t_errors_rates(errors, &gathering->weighing, &gathering->rates.rates,
			 &gathering->corrected.rates);
	gathering->corrects |= errors->nr_anchors;
}

/**
 * n3t_quality_of_cpu() - value of a metric on one CPU with its quality
 * @quality: the result
 * @metric: the metric
 * @view: the CPU
 */
void n3t_quality_of_cpu(struct n3t_quality *quality, enum n3t_metric metric,
			const struct cpu_view *view)
{
	struct gathering gathering;
	struct n3t_counts counts;
	bool has_value;

	memset(quality, 0, sizeof(*quality));
	quality->verdict = n3t_metric_counts(metric, view->state, view->plan, view->window,
					     &counts);
	if (quality->verdict == N3T_VALUE)
		quality->verdict = n3t_formula_eval(n3t_metric_formula(metric), &counts,
						    &quality->measured.value);
	if (!view->window || view->plan->set_of[metric] == N3T_NO_SET)
		return;

	has_value = quality->verdict == N3T_VALUE;
	set_value(quality, metric);
	gathering_begin(&gathering, metric);
	change_begin(&gathering.value, metric, has_value, &counts);
	if (has_value && view->plan->nr_anchors)
		add_rates(&gathering, view, n3t_view_errors(view, view->plan->set_of[metric]));
	change_begin(&gathering.estimate, metric, gathering.corrects, &gathering.corrected.rates);
	gather_cpu(&gathering, view);
	gathering_end(&gathering, quality);
}

/* Mark the CPUs that the value includes; any change invalidates the pools. */
static void mark_included(struct gathering *gathering, struct cpu_view *views, unsigned int nr)
{
	enum n3t_metric metric = gathering->metric;

	for (unsigned int i = 0; i < nr; i++) {
		struct cpu_view *view = &views[i];
		enum n3t_verdict verdict;
		struct n3t_counts counts;
		u64 time_ns = 0;
		bool included;

		verdict = n3t_metric_counts(metric, view->state, view->plan, view->window,
					    &counts);
		if (verdict >= N3T_UNDEF)
			time_ns = n3t_window_set(view->window, view->plan->set_of[metric])->time_ns;
		included = n3t_combine_includes(&gathering->rates, verdict, time_ns);
		if (included != view->included && view->pool)
			n3t_pool_forget(view->pool);
		view->included = included;
	}
}

/* Each pool once, with the first CPU of its plan. */
static bool has_pool(const struct cpu_view *view)
{
	return view->owns_pool && view->pool->set != N3T_NO_SET && view->pool->cpus;
}

/**
 * n3t_quality_of_several() - value of a metric over several CPUs with its quality
 * @quality: the result
 * @metric: the metric
 * @views: the CPUs
 * @nr: number of CPUs
 *
 * The value is that of n3t_combine_end(). Slices and coverage refer to the CPUs included in it. The
 * error of a CPU with only one slice is the change that leaving the CPU out would make.
 */
void n3t_quality_of_several(struct n3t_quality *quality, enum n3t_metric metric,
			    struct cpu_view *views, unsigned int nr)
{
	struct gathering gathering;

	memset(quality, 0, sizeof(*quality));
	gathering_begin(&gathering, metric);
	mark_included(&gathering, views, nr);
	n3t_pools_fill(views, nr, metric);
	for (unsigned int i = 0; i < nr; i++)
		if (has_pool(&views[i]))
			add_rates(&gathering, &views[i], &views[i].pool->errors);
	quality->verdict = n3t_combine_end(&gathering.rates, &quality->measured.value);
	set_value(quality, metric);
	change_begin(&gathering.value, metric, quality->verdict == N3T_VALUE,
		     &gathering.rates.rates);
	change_begin(&gathering.estimate, metric,
		     gathering.corrects && quality->verdict == N3T_VALUE,
		     &gathering.corrected.rates);
	for (unsigned int i = 0; i < nr; i++)
		if (has_pool(&views[i]))
			gather_pool(&gathering, &views[i]);
	gathering_end(&gathering, quality);
}

static void add_bound(struct n3t_text *text, const char *key, bool bounded, s64 bound,
		      unsigned int decimals)
{
	n3t_text_add(text, key);
	if (bounded)
		n3t_text_add_scaled(text, bound, decimals);
	else
		n3t_text_add(text, "none");
}

static void add_value(struct n3t_text *text, const struct n3t_quality *quality,
		      const struct n3t_bounds *bounds, unsigned int decimals)
{
	const char *word = n3t_verdict_word(quality->verdict);

	if (word)
		n3t_text_add(text, word);
	else if (is_sane(bounds))
		n3t_text_add_scaled(text, n3t_scaled_round(bounds->guarded, GUARD_FACTOR),
				    decimals);
	else
		n3t_text_add_ratio(text, &bounds->value, decimals);
}

/**
 * n3t_quality_print() - the line of a metric with its quality
 * @buf: output buffer; always terminated
 * @size: its size in bytes, not 0; 512 suffice for any line
 * @metric: the metric
 * @quality: its quality
 *
 *	backend_bound value=43.0021 low=42.8120 high=43.1923 coverage=49.87 slices=50
 *	ipc value=stale low=none high=none coverage=0.00 slices=0
 *
 * followed on the same line by estimate=42.9731 estimate_low=42.9024 estimate_high=43.0438.
 *
 * "none" is printed if there is no value, if the error is based on fewer than
 * N3T_INTERVAL_SLICES slices, or if the interval is too wide to be useful: half of it
 * above 50 percentage points, or for other units above three times the value.
 *
 * Return: length of the text in @buf
 */
size_t n3t_quality_print(char *buf, size_t size, enum n3t_metric metric,
			 const struct n3t_quality *quality)
{
	const struct n3t_bounds *measured = &quality->measured, *estimate = &quality->estimate;
	bool enough = quality->remembered >= N3T_INTERVAL_SLICES;
	unsigned int decimals = n3t_metrics[metric].decimals;
	struct n3t_text text = { .buf = buf, .size = size };

	n3t_text_add(&text, n3t_metrics[metric].name);
	n3t_text_add(&text, " value=");
	add_value(&text, quality, measured, decimals);
	add_bound(&text, " low=", enough && measured->bounded, measured->low, decimals);
	add_bound(&text, " high=", enough && measured->bounded, measured->high, decimals);
	n3t_text_add(&text, " coverage=");
	n3t_text_add_scaled(&text, quality->coverage, COVERAGE_DECIMALS);
	n3t_text_add(&text, " slices=");
	n3t_text_add_scaled(&text, quality->slices, 0);
	n3t_text_add(&text, " estimate=");
	add_value(&text, quality, estimate, decimals);
	add_bound(&text, " estimate_low=", enough && estimate->bounded, estimate->low, decimals);
	add_bound(&text, " estimate_high=", enough && estimate->bounded, estimate->high, decimals);
	n3t_text_add(&text, "\n");
	return text.len;
}
