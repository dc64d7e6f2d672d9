// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * KUnit: one value over several CPUs.
 *
 * Counts are given with the time in milliseconds; the comments derive the
 * expected values by hand.
 */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <kunit/test.h>

#include "libn3t/formula.h"
#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/spec.h"
#include "libn3t/combine.h"
#include "libn3t/verdict.h"

#define CPUS		4
#define NS_PER_MS	1000000ull
#define TEXT_SIZE	64

/* A CPU with a plan of its own and a window without slices. */
struct one_cpu {
	struct n3t_plan plan;
	struct n3t_window *window;
};

static int combine_init(struct kunit *test)
{
	struct one_cpu *cpus = kunit_kzalloc(test, CPUS * sizeof(*cpus), GFP_KERNEL);
	unsigned int i;

	test->priv = cpus;
	if (!cpus)
		return -ENOMEM;
	for (i = 0; i < CPUS; i++) {
		cpus[i].window = kunit_kzalloc(test, sizeof(*cpus[i].window) +
					       N3T_MAX_SETS * sizeof(struct n3t_set_sum),
					       GFP_KERNEL);
		if (!cpus[i].window)
			return -ENOMEM;
		cpus[i].window->sum_words = sizeof(struct n3t_set_sum) / sizeof(u64);
	}
	return 0;
}

static struct one_cpu *set_up(struct kunit *test, unsigned int nr, unsigned int budget)
{
	struct one_cpu *cpu = &((struct one_cpu *)test->priv)[nr];
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);

	bitmap_fill(groups, N3T_NR_GROUPS);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(&cpu->plan, budget, groups, NULL, NULL), 0);
	cpu->window->nr_sets = cpu->plan.nr_sets;
	return cpu;
}

static struct n3t_set_sum *sum_of(struct one_cpu *cpu, enum n3t_metric metric)
{
	return n3t_window_sum(cpu->window, cpu->plan.set_of[metric]);
}

/* The set of @metric was counted for @ms, during this number of cycles. */
static void counted(struct one_cpu *cpu, enum n3t_metric metric, u64 ms, u64 cycles)
{
	struct n3t_set_sum *sum = sum_of(cpu, metric);

	sum->slices = 1;
	sum->time_ns = ms * NS_PER_MS;
	sum->cycles = cycles;
	cpu->window->cycles += cycles;
}

static void count(struct kunit *test, struct one_cpu *cpu, enum n3t_metric metric, u16 code, u64 nr)
{
	const struct n3t_set *set = &cpu->plan.set[cpu->plan.set_of[metric]];
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (set->code[i] == code)
			break;
	KUNIT_ASSERT_LT(test, i, set->nr);
	sum_of(cpu, metric)->count[i] = nr;
}

/* Add a CPU as the module does; returns its own verdict. */
static enum n3t_verdict add(struct n3t_combined *combined, struct one_cpu *cpu,
			    enum n3t_cpu_state state)
{
	struct n3t_counts counts;
	struct n3t_ratio ignored;

	n3t_window_judge(cpu->window, &cpu->plan);
	n3t_combine_add(combined, n3t_metric_counts(combined->metric, state, &cpu->plan,
						    cpu->window, &counts),
			&counts, sum_of(cpu, combined->metric)->time_ns);
	return n3t_metric_value(combined->metric, state, &cpu->plan, cpu->window, &ignored);
}

static void expect_value(struct kunit *test, const struct n3t_combined *combined,
			 unsigned int cpus, const char *expected)
{
	struct n3t_ratio value;
	char text[TEXT_SIZE];

	KUNIT_EXPECT_EQ(test, combined->cpus, cpus);
	KUNIT_ASSERT_EQ(test, n3t_combine_end(combined, &value), N3T_VALUE);
	n3t_ratio_print(text, sizeof(text), &value, n3t_metrics[combined->metric].decimals);
	KUNIT_EXPECT_STREQ_MSG(test, text, expected, "metric %s",
			       n3t_metrics[combined->metric].name);
}

/* Result of adding up counts without regard to the time. */
static void expect_plain_sum(struct kunit *test, enum n3t_metric metric, struct one_cpu *cpu[2],
			     const char *expected)
{
	const struct n3t_formula *formula = n3t_metric_formula(metric);
	struct n3t_counts sum = { 0 }, counts;
	struct n3t_ratio value;
	char text[TEXT_SIZE];
	unsigned int i, k;
	u64 nr;

	sum.nr = formula->nr_events;
	memcpy(sum.code, formula->code, sizeof(formula->code));
	for (i = 0; i < 2; i++) {
		n3t_set_counts(&cpu[i]->plan.set[cpu[i]->plan.set_of[metric]],
			       sum_of(cpu[i], metric), &counts);
		sum.cycles += counts.cycles;
		for (k = 0; k < sum.nr; k++) {
			KUNIT_ASSERT_EQ(test, n3t_counts_get(&counts, sum.code[k], &nr), 0);
			sum.count[k] += nr;
		}
	}
	KUNIT_ASSERT_EQ(test, n3t_formula_eval(formula, &sum, &value), N3T_VALUE);
	n3t_ratio_print(text, sizeof(text), &value, n3t_metrics[metric].decimals);
	KUNIT_EXPECT_STREQ(test, text, expected);
}

/*
 * Two CPUs whose set was counted for 100 ms on one and 900 ms on the other:
 *
 *	     time    cycles  instructions   per second: cycles  instructions
 *	a    0.1 s   0.3 G   0.6 G          3 G                 6 G
 *	b    0.9 s   0.9 G   0.45 G         1 G                 0.5 G
 *
 * In any second the two retire 6.5 G instructions in 4 G cycles: 1.625. The
 * plain sum is 1.05 G / 1.2 G = 0.875: b has nine times the weight of a because
 * it was counted nine times as long.
 */
static void unequal_coverage_does_not_bias_the_value(struct kunit *test)
{
	struct one_cpu *cpu[] = { set_up(test, 0, 6), set_up(test, 1, 6) };
	enum n3t_metric ipc = N3T_METRIC_ipc;
	struct n3t_combined combined;

	counted(cpu[0], ipc, 100, 300000000);
	count(test, cpu[0], ipc, N3T_CODE_INST_RETIRED, 600000000);
	counted(cpu[1], ipc, 900, 900000000);
	count(test, cpu[1], ipc, N3T_CODE_INST_RETIRED, 450000000);

	n3t_combine_begin(&combined, ipc);
	add(&combined, cpu[0], N3T_CPU_SAMPLING);
	add(&combined, cpu[1], N3T_CPU_SAMPLING);
	expect_value(test, &combined, 2, "1.625000");
	expect_plain_sum(test, ipc, cpu, "0.875000");
}

/*
 * The same with a percentage, with a's misses weighted by their rate:
 *
 *	     time   instructions  misses   per second: instructions  misses
 *	a    10 ms  10 M          1 M      1 G                       100 M
 *	b    2 s    400 M         0.4 M    200 M                     0.2 M
 *
 * 100.2 M / 1200 M * 1000 = 83.5. The plain sum: 1.4 M / 410 M * 1000 = 3.4146...
 */
static void a_cpu_counted_briefly_has_the_weight_of_its_rates(struct kunit *test)
{
	struct one_cpu *cpu[] = { set_up(test, 0, 6), set_up(test, 1, 6) };
	enum n3t_metric mpki = N3T_METRIC_branch_mpki;
	struct n3t_combined combined;

	counted(cpu[0], mpki, 10, 10000000);
	count(test, cpu[0], mpki, N3T_CODE_INST_RETIRED, 10000000);
	count(test, cpu[0], mpki, N3T_CODE_BR_MIS_PRED_RETIRED, 1000000);
	counted(cpu[1], mpki, 2000, 400000000);
	count(test, cpu[1], mpki, N3T_CODE_INST_RETIRED, 400000000);
	count(test, cpu[1], mpki, N3T_CODE_BR_MIS_PRED_RETIRED, 400000);

	n3t_combine_begin(&combined, mpki);
	add(&combined, cpu[0], N3T_CPU_SAMPLING);
	add(&combined, cpu[1], N3T_CPU_SAMPLING);
	expect_value(test, &combined, 2, "83.5000");
	expect_plain_sum(test, mpki, cpu, "3.4146");
}

/*
 * Six counters on a, so STALL_SLOT is counted there; five on b, so there it is the
 * sum of its parts, 1 G + 1.5 G per second:
 *
 *	     time    per second: cycles  STALL_SLOT  OP_RETIRED  OP_SPEC
 *	a    0.5 s   2 G                 5 G         4 G         5 G
 *	b    0.25 s  1 G                 2.5 G       2 G         3 G
 *
 * retiring = (1 - 7.5 / (5 * 3)) * (6 / 8) * 100 = 37.5
 */
static void counted_and_derived_stall_slot_are_combined(struct kunit *test)
{
	struct one_cpu *a = set_up(test, 0, 6), *b = set_up(test, 1, 5);
	enum n3t_metric metric = N3T_METRIC_retiring;
	struct n3t_combined combined;

	KUNIT_ASSERT_FALSE(test, a->plan.derives_stall_slot);
	KUNIT_ASSERT_TRUE(test, b->plan.derives_stall_slot);
	counted(a, metric, 500, 1000000000);
	count(test, a, metric, N3T_CODE_STALL_SLOT, 2500000000ull);
	/* Its parts are not used if it is counted itself. */
	count(test, a, metric, N3T_CODE_STALL_SLOT_FRONTEND, 1200000000);
	count(test, a, metric, N3T_CODE_STALL_SLOT_BACKEND, 1260000000);
	count(test, a, metric, N3T_CODE_OP_RETIRED, 2000000000);
	count(test, a, metric, N3T_CODE_OP_SPEC, 2500000000ull);
	counted(b, metric, 250, 250000000);
	count(test, b, metric, N3T_CODE_STALL_SLOT_FRONTEND, 250000000);
	count(test, b, metric, N3T_CODE_STALL_SLOT_BACKEND, 375000000);
	count(test, b, metric, N3T_CODE_OP_RETIRED, 500000000);
	count(test, b, metric, N3T_CODE_OP_SPEC, 750000000);

	n3t_combine_begin(&combined, metric);
	add(&combined, a, N3T_CPU_SAMPLING);
	add(&combined, b, N3T_CPU_SAMPLING);
	expect_value(test, &combined, 2, "37.5000");
}

/* Rate of an event per millisecond, constant on all CPUs. */
static u64 per_ms(u16 code)
{
	return 1000 + code % 997;
}

static void fill(struct one_cpu *cpu, unsigned int seed)
{
	unsigned int set, i;

	cpu->window->cycles = 0;
	for (set = 0; set < cpu->plan.nr_sets; set++) {
		struct n3t_set_sum *sum = n3t_window_sum(cpu->window, set);
		/* From 1 to 2000 ms, most of them different. */
		u64 ms = 1 + (seed * 7919 + set * 104729) % 2000;

		sum->slices = 1 + set % 3;
		sum->time_ns = ms * NS_PER_MS;
		sum->cycles = ms * 1000000;
		cpu->window->cycles += sum->cycles;
		for (i = 0; i < cpu->plan.set[set].nr; i++)
			sum->count[i] = ms * per_ms(cpu->plan.set[set].code[i]);
	}
}

/* CPUs with equal rates share one value, whatever their plans. */
static void cpus_with_equal_rates_have_the_value_of_one(struct kunit *test)
{
	static const unsigned int budgets[CPUS] = { 6, 5, 20, 31 };
	struct n3t_combined combined;
	struct one_cpu *cpu[CPUS];
	struct n3t_ratio value;
	char text[TEXT_SIZE];
	unsigned int i, metric;

	for (i = 0; i < CPUS; i++) {
		cpu[i] = set_up(test, i, budgets[i]);
		fill(cpu[i], i);
	}
	for (metric = 0; metric < N3T_NR_METRICS; metric++) {
		/* With five counters STALL_SLOT is the sum of its parts, which differs here. */
		bool derived = cpu[1]->plan.set_of[metric] == cpu[1]->plan.l1_set &&
			       (metric == N3T_METRIC_retiring ||
				metric == N3T_METRIC_bad_speculation);
		unsigned int cpus = 0;

		n3t_window_judge(cpu[0]->window, &cpu[0]->plan);
		KUNIT_ASSERT_EQ(test, n3t_metric_value(metric, N3T_CPU_SAMPLING, &cpu[0]->plan,
						       cpu[0]->window, &value), N3T_VALUE);
		n3t_ratio_print(text, sizeof(text), &value, n3t_metrics[metric].decimals);
		n3t_combine_begin(&combined, metric);
		for (i = 0; i < CPUS; i++)
			if (i != 1 || !derived) {
				KUNIT_EXPECT_EQ(test, add(&combined, cpu[i], N3T_CPU_SAMPLING),
						N3T_VALUE);
				cpus++;
			}
		expect_value(test, &combined, cpus, text);
	}
}

/* Whether idle, offline or other: the value is that of the other CPUs. */
static void cpus_without_a_value_are_excluded(struct kunit *test)
{
	static const struct {
		enum n3t_cpu_state state;
		enum n3t_verdict verdict;
	} excluded[] = {
		{ N3T_CPU_OFFLINE, N3T_OFFLINE },
		{ N3T_CPU_DISABLED, N3T_DISABLED },
		{ N3T_CPU_UNPLACED, N3T_UNPLACED },
		{ N3T_CPU_CONTENDED, N3T_CONTENDED },
		{ N3T_CPU_SAMPLING, N3T_IDLE },
	};
	struct one_cpu *busy = set_up(test, 0, 6), *other = set_up(test, 1, 6);
	enum n3t_metric ipc = N3T_METRIC_ipc;
	struct n3t_combined combined;
	unsigned int i, first;

	counted(busy, ipc, 300, 900000000);
	count(test, busy, ipc, N3T_CODE_INST_RETIRED, 1800000000);
	/* One cycle short of not being idle. */
	counted(other, ipc, 500, 99999);
	count(test, other, ipc, N3T_CODE_INST_RETIRED, 50000);

	for (first = 0; first < 2; first++)
		for (i = 0; i < ARRAY_SIZE(excluded); i++) {
			n3t_combine_begin(&combined, ipc);
			if (first)
				add(&combined, busy, N3T_CPU_SAMPLING);
			KUNIT_EXPECT_EQ(test, add(&combined, other, excluded[i].state),
					excluded[i].verdict);
			if (!first)
				add(&combined, busy, N3T_CPU_SAMPLING);
			expect_value(test, &combined, 1, "2.000000");
		}

	/*
	 * One more cycle includes it, with little weight: 200 k cycles and
	 * 100 k instructions per second against 3 G and 6 G.
	 */
	counted(other, ipc, 500, 1);
	sum_of(other, ipc)->cycles = 100000;
	n3t_combine_begin(&combined, ipc);
	add(&combined, busy, N3T_CPU_SAMPLING);
	add(&combined, other, N3T_CPU_SAMPLING);
	/* 6.0001 / 3.0002 = 1.99990000...; 6 digits: 1.999900 */
	expect_value(test, &combined, 2, "1.999900");
}

/* A CPU with a denominator of 0 has no value of its own, but its counts are known. */
static void cpus_with_a_zero_denominator_are_included(struct kunit *test)
{
	struct one_cpu *a = set_up(test, 0, 20), *b = set_up(test, 1, 6);
	enum n3t_metric metric = N3T_METRIC_ll_cache_read_miss_ratio;
	struct n3t_combined combined;
	struct n3t_ratio value;

	fill(a, 3);
	fill(b, 4);
	count(test, a, metric, N3T_CODE_LL_CACHE_RD, 0);
	count(test, a, metric, N3T_CODE_LL_CACHE_MISS_RD, 0);
	sum_of(b, metric)->time_ns = 250 * NS_PER_MS;
	count(test, b, metric, N3T_CODE_LL_CACHE_RD, 4000);
	count(test, b, metric, N3T_CODE_LL_CACHE_MISS_RD, 3000);

	n3t_combine_begin(&combined, metric);
	KUNIT_EXPECT_EQ(test, add(&combined, a, N3T_CPU_SAMPLING), N3T_UNDEF);
	KUNIT_EXPECT_EQ(test, n3t_combine_end(&combined, &value), N3T_UNDEF);
	KUNIT_EXPECT_EQ(test, add(&combined, b, N3T_CPU_SAMPLING), N3T_VALUE);
	expect_value(test, &combined, 2, "0.750000");

	/* Misses without reads, as can happen at the end of a slice: 4000 more per second. */
	sum_of(a, metric)->time_ns = 250 * NS_PER_MS;
	count(test, a, metric, N3T_CODE_LL_CACHE_MISS_RD, 1000);
	n3t_combine_begin(&combined, metric);
	KUNIT_EXPECT_EQ(test, add(&combined, a, N3T_CPU_SAMPLING), N3T_UNDEF);
	KUNIT_EXPECT_EQ(test, add(&combined, b, N3T_CPU_SAMPLING), N3T_VALUE);
	expect_value(test, &combined, 2, "1.000000");

	/* Two such CPUs and no others. */
	count(test, b, metric, N3T_CODE_LL_CACHE_RD, 0);
	n3t_combine_begin(&combined, metric);
	add(&combined, a, N3T_CPU_SAMPLING);
	KUNIT_EXPECT_EQ(test, add(&combined, b, N3T_CPU_SAMPLING), N3T_UNDEF);
	KUNIT_EXPECT_EQ(test, n3t_combine_end(&combined, &value), N3T_UNDEF);
}

/* In order of precedence: without a value, the last verdict seen is reported. */
static void without_values_the_last_verdict_in_order_is_reported(struct kunit *test)
{
	static const enum n3t_verdict order[] = {
		N3T_OFFLINE, N3T_DISABLED, N3T_UNPLACED, N3T_CONTENDED, N3T_IDLE, N3T_STALE,
		N3T_IMPLAUSIBLE,
	};
	struct n3t_combined combined;
	struct n3t_ratio value;
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(order); i++)
		for (k = 0; k < ARRAY_SIZE(order); k++) {
			n3t_combine_begin(&combined, N3T_METRIC_ipc);
			n3t_combine_add(&combined, order[i], NULL, 0);
			n3t_combine_add(&combined, order[k], NULL, 0);
			KUNIT_EXPECT_EQ(test, n3t_combine_end(&combined, &value),
					order[max(i, k)]);
			KUNIT_EXPECT_EQ(test, combined.cpus, 0u);
		}
}

/* If the clock did not advance, counts have no rate. */
static void counts_of_zero_time_are_excluded(struct kunit *test)
{
	struct one_cpu *a = set_up(test, 0, 6), *b = set_up(test, 1, 6);
	struct n3t_combined combined;
	struct n3t_ratio value;

	counted(a, N3T_METRIC_ipc, 0, 1000000);
	count(test, a, N3T_METRIC_ipc, N3T_CODE_INST_RETIRED, 3000000);
	n3t_combine_begin(&combined, N3T_METRIC_ipc);
	KUNIT_EXPECT_EQ(test, add(&combined, a, N3T_CPU_SAMPLING), N3T_VALUE);
	KUNIT_EXPECT_EQ(test, n3t_combine_end(&combined, &value), N3T_STALE);

	counted(b, N3T_METRIC_ipc, 20, 1000000);
	count(test, b, N3T_METRIC_ipc, N3T_CODE_INST_RETIRED, 500000);
	add(&combined, b, N3T_CPU_SAMPLING);
	expect_value(test, &combined, 1, "0.500000");
}

static void no_cpus_are_reported_as_offline(struct kunit *test)
{
	struct n3t_combined combined;
	struct n3t_ratio value;

	n3t_combine_begin(&combined, N3T_METRIC_ipc);
	KUNIT_EXPECT_EQ(test, n3t_combine_end(&combined, &value), N3T_OFFLINE);
}

static void combine_begin_forgets_earlier_cpus(struct kunit *test)
{
	struct one_cpu *cpu = set_up(test, 0, 6);
	struct n3t_combined combined;

	memset(&combined, 0xa5, sizeof(combined));
	fill(cpu, 1);
	n3t_combine_begin(&combined, N3T_METRIC_ipc);
	add(&combined, cpu, N3T_CPU_SAMPLING);
	n3t_combine_begin(&combined, N3T_METRIC_ipc);
	counted(cpu, N3T_METRIC_ipc, 100, 1000000);
	count(test, cpu, N3T_METRIC_ipc, N3T_CODE_INST_RETIRED, 250000);
	add(&combined, cpu, N3T_CPU_SAMPLING);
	expect_value(test, &combined, 1, "0.250000");
}

/* The rate is count * 65536 * 10^9 / ns. */
static void rates_are_rounded_to_nearest(struct kunit *test)
{
	static const struct {
		u64 count;
		u64 time_ns;
		u64 rate;
	} rates[] = {
		{ 0, 1, 0 },
		{ 1, NSEC_PER_SEC, 65536 },
		{ 1, 60ull * NSEC_PER_SEC, 1092 },		/* 1092.27 */
		{ 3, 7, 28086857142857ull },			/* ...857.14 */
		{ 5, 7, 46811428571429ull },			/* ...428.57 */
		/* In 131072 s one is half a unit: ties go up, not to even ones. */
		{ 1, 131072000000000ull, 1 },
		{ 3, 131072000000000ull, 2 },
		{ 5, 131072000000000ull, 3 },
		{ 1, 131072000000001ull, 0 },
		{ 5, 131072000000001ull, 2 },
		{ U64_MAX, U64_MAX, 65536000000000ull },
		{ 1, U64_MAX, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rates); i++)
		KUNIT_EXPECT_EQ_MSG(test, n3t_rate(rates[i].count, rates[i].time_ns),
				    rates[i].rate, "%llu in %llu ns", rates[i].count,
				    rates[i].time_ns);
}

/* In 65536 s the rate is the count itself. */
static void rates_saturate_at_s64_max(struct kunit *test)
{
	const u64 seconds_65536 = 65536ull * NSEC_PER_SEC;

	KUNIT_EXPECT_EQ(test, n3t_rate(S64_MAX - 1, seconds_65536), S64_MAX - 1ull);
	KUNIT_EXPECT_EQ(test, n3t_rate(S64_MAX, seconds_65536), (u64)S64_MAX);
	KUNIT_EXPECT_EQ(test, n3t_rate((u64)S64_MAX + 1, seconds_65536), (u64)S64_MAX);
	KUNIT_EXPECT_EQ(test, n3t_rate(U64_MAX, seconds_65536), (u64)S64_MAX);
	KUNIT_EXPECT_EQ(test, n3t_rate(U64_MAX, 1), (u64)S64_MAX);
	/* the first beyond 2^64 in a nanosecond */
	KUNIT_EXPECT_EQ(test, n3t_rate(281475, 1), (u64)S64_MAX);
	/* 2^47 - 1 and 2^47 per second */
	KUNIT_EXPECT_EQ(test, n3t_rate((1ull << 47) - 1, NSEC_PER_SEC), (1ull << 63) - 65536);
	KUNIT_EXPECT_EQ(test, n3t_rate(1ull << 47, NSEC_PER_SEC), (u64)S64_MAX);
}

static struct kunit_case combine_cases[] = {
	KUNIT_CASE(unequal_coverage_does_not_bias_the_value),
	KUNIT_CASE(a_cpu_counted_briefly_has_the_weight_of_its_rates),
	KUNIT_CASE(counted_and_derived_stall_slot_are_combined),
	KUNIT_CASE(cpus_with_equal_rates_have_the_value_of_one),
	KUNIT_CASE(cpus_without_a_value_are_excluded),
	KUNIT_CASE(cpus_with_a_zero_denominator_are_included),
	KUNIT_CASE(without_values_the_last_verdict_in_order_is_reported),
	KUNIT_CASE(counts_of_zero_time_are_excluded),
	KUNIT_CASE(no_cpus_are_reported_as_offline),
	KUNIT_CASE(combine_begin_forgets_earlier_cpus),
	KUNIT_CASE(rates_are_rounded_to_nearest),
	KUNIT_CASE(rates_saturate_at_s64_max),
	{}
};

static struct kunit_suite combine_suite = {
	.name = "n3_telemetry_combine",
	.init = combine_init,
	.test_cases = combine_cases,
};

kunit_test_suite(combine_suite);
