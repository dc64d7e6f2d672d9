// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * KUnit: one value over several CPUs.
 *
 * selftests/user/oracle_test.py compares random counts of several CPUs with exact fractions.
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
static enum n3t_verdict add(struct n3t_combined *combined, struct one_cpu *cpu)
{
	const enum n3t_cpu_state state = N3T_CPU_SAMPLING;
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
				KUNIT_EXPECT_EQ(test, add(&combined, cpu[i]), N3T_VALUE);
				cpus++;
			}
		expect_value(test, &combined, cpus, text);
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
	KUNIT_EXPECT_EQ(test, add(&combined, a), N3T_VALUE);
	KUNIT_EXPECT_EQ(test, n3t_combine_end(&combined, &value), N3T_STALE);

	counted(b, N3T_METRIC_ipc, 20, 1000000);
	count(test, b, N3T_METRIC_ipc, N3T_CODE_INST_RETIRED, 500000);
	add(&combined, b);
	expect_value(test, &combined, 1, "0.500000");
}

/* CPUs without reads of a last-level cache count as long as another CPU has some. */
static void misses_without_reads_are_undef_on_all_cpus_only(struct kunit *test)
{
	struct one_cpu *a = set_up(test, 0, 6), *b = set_up(test, 1, 6);
	struct n3t_combined combined;
	struct n3t_ratio value;

	counted(a, N3T_METRIC_ll_cache_read_mpki, 100, 1000000);
	count(test, a, N3T_METRIC_ll_cache_read_mpki, N3T_CODE_LL_CACHE_RD, 0);
	count(test, a, N3T_METRIC_ll_cache_read_mpki, N3T_CODE_LL_CACHE_MISS_RD, 1);
	count(test, a, N3T_METRIC_ll_cache_read_mpki, N3T_CODE_INST_RETIRED, 3000);
	n3t_combine_begin(&combined, N3T_METRIC_ll_cache_read_mpki);
	KUNIT_EXPECT_EQ(test, add(&combined, a), N3T_UNDEF);
	KUNIT_EXPECT_EQ(test, n3t_combine_end(&combined, &value), N3T_UNDEF);

	counted(b, N3T_METRIC_ll_cache_read_mpki, 100, 1000000);
	count(test, b, N3T_METRIC_ll_cache_read_mpki, N3T_CODE_LL_CACHE_RD, 10);
	count(test, b, N3T_METRIC_ll_cache_read_mpki, N3T_CODE_LL_CACHE_MISS_RD, 4);
	count(test, b, N3T_METRIC_ll_cache_read_mpki, N3T_CODE_INST_RETIRED, 1000);
	KUNIT_EXPECT_EQ(test, add(&combined, b), N3T_VALUE);
	expect_value(test, &combined, 2, "1.2500");
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
	add(&combined, cpu);
	n3t_combine_begin(&combined, N3T_METRIC_ipc);
	counted(cpu, N3T_METRIC_ipc, 100, 1000000);
	count(test, cpu, N3T_METRIC_ipc, N3T_CODE_INST_RETIRED, 250000);
	add(&combined, cpu);
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
	KUNIT_CASE(cpus_with_equal_rates_have_the_value_of_one),
	KUNIT_CASE(counts_of_zero_time_are_excluded),
	KUNIT_CASE(misses_without_reads_are_undef_on_all_cpus_only),
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
