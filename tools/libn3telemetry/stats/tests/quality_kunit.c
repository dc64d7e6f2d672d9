// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * KUnit: intervals, coverage and their output. Expected values were computed
 * with exact fractions, dual numbers and the published quantiles by another
 * program.
 * selftests/user/quality_test.py and reference_test.py compare intervals in depth with those of
 * the same estimator in floating point.
 */
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/spec.h"
#include "libn3t/anchors.h"
#include "libn3t/covariance.h"
#include "libn3telemetry/stats/errors.h"
#include "libn3telemetry/stats/pool.h"
#include "libn3telemetry/stats/quality.h"
#include "view_take.h"

#define RING_SLICES	8000	/* of which 250 of a set */
#define MS		1000000ull
#define MEGA		1000000ull
#define NR_CPUS_HERE	2
#define WINDOW_SLICES	100	/* for a memory of 64 slices in all sets */

struct fixture {
	struct n3t_plan plan;
	struct n3t_ring ring[NR_CPUS_HERE];
	struct n3t_covariance covariance[NR_CPUS_HERE];
	struct n3t_anchor_totals anchors[NR_CPUS_HERE];
	struct cpu_view view[NR_CPUS_HERE];
	u64 since_ns[NR_CPUS_HERE];
	struct n3t_quality quality;
	u64 now;
	char text[512];
	char expected[512];
};

static int quality_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	unsigned int i;
	void *slots, *memory;

	test->priv = f;
	if (!f)
		return -ENOMEM;

	bitmap_fill(groups, N3T_NR_GROUPS);
	if (n3t_plan_make(&f->plan, 6, groups, NULL, NULL))
		return -EINVAL;
	f->now = 1000 * MS;
	for (i = 0; i < NR_CPUS_HERE; i++) {
		slots = kunit_kzalloc(test, n3t_ring_bytes(&f->plan, RING_SLICES), GFP_KERNEL);
		memory = kunit_kzalloc(test, n3t_covariance_bytes(&f->plan), GFP_KERNEL);
		if (!slots || !memory)
			return -ENOMEM;
		n3t_covariance_init(&f->covariance[i], memory, &f->plan, WINDOW_SLICES);
		n3t_ring_init(&f->ring[i], slots, &f->plan, RING_SLICES);
		n3t_anchors_init(&f->anchors[i], memory, &f->plan, WINDOW_SLICES);
		f->since_ns[i] = f->now;
	}
	return 0;
}

/* A slice of the metric's set; every event has a count of 1000 unless set otherwise. */
static struct n3t_slice *begin_slice(struct fixture *f, unsigned int cpu, enum n3t_metric metric,
				     u64 cycles)
{
	struct n3t_slice *slice = n3t_ring_begin(&f->ring[cpu]);
	unsigned int i;

	f->now += 20 * MS;
	slice->end_ns = f->now;
	slice->time_ns = 20 * MS;
	slice->set = f->plan.set_of[metric];
	slice->state = N3T_SLICE_KEPT;
	slice->cycles = cycles;
	for (i = 0; i < 6; i++)
		slice->count[i] = 1000;
	return slice;
}

/* End a slice as the sampler does. */
static void end_slice(struct fixture *f, unsigned int cpu, const struct n3t_slice *slice)
{
	n3t_covariance_add(&f->covariance[cpu], slice);
	n3t_ring_commit(&f->ring[cpu]);
}

static void set_count(struct fixture *f, struct n3t_slice *slice, u16 code, u64 count)
{
	const struct n3t_set *set = &f->plan.set[slice->set];
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (set->code[i] == code)
			slice->count[i] = count;
}

static void add_ipc(struct fixture *f, unsigned int cpu, u64 cycles, u64 retired)
{
	struct n3t_slice *slice = begin_slice(f, cpu, N3T_METRIC_ipc, cycles);

	set_count(f, slice, N3T_CODE_INST_RETIRED, retired);
	end_slice(f, cpu, slice);
}

static void sum_up(struct fixture *f, unsigned int cpu)
{
	/* without a view, the tests below crash */
	view_take(&f->view[cpu], &f->plan, &f->ring[cpu], &f->covariance[cpu], &f->anchors[cpu],
		  f->since_ns[cpu], f->now);
}

/* Append the text after a key of @line, up to the next key. */
static void add_again(struct fixture *f, const char *line, const char *key)
{
	const char *value = strstr(line, key) + strlen(key);

	strncat(f->expected, value, strcspn(value, " "));
}

/* Without anchors the estimate equals the value. */
static void expect_text(struct kunit *test, enum n3t_metric metric, const char *line)
{
	struct fixture *f = test->priv;

	f->expected[0] = '\0';
	strncat(f->expected, line, strcspn(line, "\n"));
	strcat(f->expected, " estimate=");
	add_again(f, line, " value=");
	strcat(f->expected, " estimate_low=");
	add_again(f, line, " low=");
	strcat(f->expected, " estimate_high=");
	add_again(f, line, " high=");
	strcat(f->expected, "\n");
	n3t_quality_print(f->text, sizeof(f->text), metric, &f->quality);
	KUNIT_EXPECT_STREQ(test, f->text, f->expected);
}

/* Each end of the interval is within its two limits. */
static void expect_bounds(struct kunit *test, const struct n3t_bounds *bounds, s64 low_least,
			  s64 low_most, s64 high_least, s64 high_most)
{
	KUNIT_EXPECT_GE(test, bounds->low, low_least);
	KUNIT_EXPECT_LE(test, bounds->low, low_most);
	KUNIT_EXPECT_GE(test, bounds->high, high_least);
	KUNIT_EXPECT_LE(test, bounds->high, high_most);
}

static void expect_line(struct kunit *test, enum n3t_metric metric, const char *line)
{
	struct fixture *f = test->priv;

	sum_up(f, 0);
	n3t_quality_of_cpu(&f->quality, metric, &f->view[0]);
	expect_text(test, metric, line);
}

static void four_slices_give_an_interval(struct kunit *test)
{
	struct fixture *f = test->priv;

	add_ipc(f, 0, MEGA, 1000000);
	add_ipc(f, 0, MEGA, 1200000);
	add_ipc(f, 0, MEGA, 800000);
	add_ipc(f, 0, MEGA, 1000000);
	/* variance 0.04 of a slice; two degrees of freedom, t = 4.303 */
	expect_line(test, N3T_METRIC_ipc,
		    "ipc value=1.000000 low=0.569700 high=1.430300 coverage=100.00 slices=4\n");
	KUNIT_EXPECT_EQ(test, f->quality.measured.error, 430300ll);
}

static void fewer_than_four_slices_give_no_interval(struct kunit *test)
{
	struct fixture *f = test->priv;

	add_ipc(f, 0, MEGA, 1000000);
	expect_line(test, N3T_METRIC_ipc,
		    "ipc value=1.000000 low=none high=none coverage=100.00 slices=1\n");
	KUNIT_EXPECT_FALSE(test, f->quality.measured.bounded);

	add_ipc(f, 0, MEGA, 1200000);
	add_ipc(f, 0, MEGA, 800000);
	expect_line(test, N3T_METRIC_ipc,
		    "ipc value=1.000000 low=none high=none coverage=100.00 slices=3\n");
	KUNIT_EXPECT_TRUE(test, f->quality.measured.bounded);
	KUNIT_EXPECT_EQ(test, f->quality.measured.error, 1658464ll);	/* t = 12.706 */
}

/* One slice in the window, but more in the memory. */
static void the_error_comes_from_before_the_window(struct kunit *test)
{
	struct fixture *f = test->priv;

	add_ipc(f, 0, MEGA, 5 * MEGA);
	f->since_ns[0] = f->now + 1;
	add_ipc(f, 0, MEGA, 1000000);
	add_ipc(f, 0, MEGA, 1200000);
	add_ipc(f, 0, MEGA, 800000);
	add_ipc(f, 0, MEGA, 1000000);
	sum_up(f, 0);
	n3t_quality_of_cpu(&f->quality, N3T_METRIC_ipc, &f->view[0]);
	KUNIT_EXPECT_EQ(test, f->quality.slices, 4ull);
	KUNIT_EXPECT_EQ(test, f->quality.measured.error, 2266827ll);	/* t = 3.182 */

	f->since_ns[0] = f->now - 1;
	sum_up(f, 0);
	n3t_quality_of_cpu(&f->quality, N3T_METRIC_ipc, &f->view[0]);
	KUNIT_EXPECT_EQ(test, f->quality.slices, 1ull);
	KUNIT_EXPECT_FALSE(test, f->quality.measured.bounded);	/* the error is 4.5 */
}

/* Without noise only rounding remains, outward, and of means: a unit of the last digit. */
static void a_steady_value_has_an_interval_of_rounding_only(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < 5; i++) {
		add_ipc(f, 0, 2 * MEGA, 1 * MEGA);
		add_ipc(f, 1, 3 * MEGA, 1 * MEGA);
	}
	sum_up(f, 0);
	n3t_quality_of_cpu(&f->quality, N3T_METRIC_ipc, &f->view[0]);
	KUNIT_ASSERT_TRUE(test, f->quality.measured.bounded);
	expect_bounds(test, &f->quality.measured, 499999, 500000, 500000, 500001);
	sum_up(f, 1);
	n3t_quality_of_cpu(&f->quality, N3T_METRIC_ipc, &f->view[1]);
	KUNIT_ASSERT_TRUE(test, f->quality.measured.bounded);
	expect_bounds(test, &f->quality.measured, 333332, 333333, 333334, 333335);
}

/* All branches in one slice: the ratio is that slice's, the others contribute nothing. */
static void intervals_too_wide_to_be_useful_are_none(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	/* MPKI: 0 except in one of 6 slices, so the error exceeds three times the value */
	for (i = 0; i < 6; i++) {
		struct n3t_slice *slice = begin_slice(f, 0, N3T_METRIC_branch_mpki, MEGA);

		set_count(f, slice, N3T_CODE_INST_RETIRED, MEGA);
		set_count(f, slice, N3T_CODE_BR_MIS_PRED_RETIRED, i == 2 ? 10000 : 0);
		end_slice(f, 0, slice);
	}
	expect_line(test, N3T_METRIC_branch_mpki,
		    "branch_mpki value=1.6667 low=none high=none coverage=100.00 slices=6\n");
	KUNIT_EXPECT_FALSE(test, f->quality.measured.bounded);

	/* 50 percentage points */
	f->since_ns[0] = f->now + 1;
	for (i = 0; i < 6; i++) {
		struct n3t_slice *slice = begin_slice(f, 0, N3T_METRIC_backend_mem_bound, MEGA);

		set_count(f, slice, N3T_CODE_STALL_BACKEND, MEGA);
		set_count(f, slice, N3T_CODE_STALL_BACKEND_MEMBOUND, i % 2 ? MEGA : 0);
		end_slice(f, 0, slice);
	}
	expect_line(test, N3T_METRIC_backend_mem_bound,
		    "backend_mem_bound value=50.0000 low=none high=none coverage=100.00 slices=6\n");
}

/* A slice that started before the window counts with its part in it. */
static void coverage_is_the_counted_share_of_the_window(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct n3t_slice *slice;

	slice = begin_slice(f, 0, N3T_METRIC_ipc, 10 * MEGA);
	slice->time_ns = 500 * MS;
	end_slice(f, 0, slice);
	f->now += 60 * MS;
	sum_up(f, 0);
	n3t_quality_of_cpu(&f->quality, N3T_METRIC_ipc, &f->view[0]);
	KUNIT_EXPECT_EQ(test, f->quality.coverage, 2500u);
}

static void verdicts_are_printed_instead_of_values(struct kunit *test)
{
	struct fixture *f = test->priv;

	expect_line(test, N3T_METRIC_ipc,
		    "ipc value=idle low=none high=none coverage=0.00 slices=0\n");
	end_slice(f, 0, begin_slice(f, 0, N3T_METRIC_backend_bound, MEGA));
	expect_line(test, N3T_METRIC_ipc,
		    "ipc value=stale low=none high=none coverage=0.00 slices=0\n");
	f->view[0].state = N3T_CPU_OFFLINE;
	f->view[0].window = NULL;
	n3t_quality_of_cpu(&f->quality, N3T_METRIC_ipc, &f->view[0]);
	expect_text(test, N3T_METRIC_ipc,
		    "ipc value=offline low=none high=none coverage=0.00 slices=0\n");
}

static void extreme_counts_do_not_overflow(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < 8; i++)
		add_ipc(f, 0, 1ull << 56, (1ull << 56) - ((u64)i << 50));
	add_ipc(f, 0, 1, 1ull << 56);
	sum_up(f, 0);
	n3t_quality_of_cpu(&f->quality, N3T_METRIC_ipc, &f->view[0]);
	KUNIT_EXPECT_TRUE(test, f->quality.measured.bounded);

	/* Absurdly large values: no interval, and no overflow. */
	f->since_ns[0] = f->now + 1;
	for (i = 0; i < 4; i++)
		add_ipc(f, 0, i ? 1 : N3T_IDLE_CYCLES, 1ull << (40 + 5 * i));
	sum_up(f, 0);
	n3t_quality_of_cpu(&f->quality, N3T_METRIC_ipc, &f->view[0]);
	KUNIT_EXPECT_EQ(test, f->quality.verdict, N3T_VALUE);
	KUNIT_EXPECT_FALSE(test, f->quality.measured.bounded);
}

static void add_two_cpus(struct fixture *f, unsigned int nr_of_second)
{
	static const u64 first[] = { 1000000, 1200000, 800000, 1000000 };
	static const u64 second[] = { 500000, 700000, 600000, 900000, 400000 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(first); i++)
		add_ipc(f, 0, MEGA, first[i]);
	for (i = 0; i < nr_of_second; i++)
		add_ipc(f, 1, 2 * MEGA, second[i]);
	sum_up(f, 0);
	sum_up(f, 1);
	view_share(&f->view[1], &f->view[0]);
}

/* One slice of the second CPU: the error is that of leaving that CPU out. */
static void a_cpu_with_one_slice_widens_the_interval(struct kunit *test)
{
	struct fixture *f = test->priv;

	/* 1 without it, so the variance is 0.5^2 * 1/9; half the interval is 2.16 */
	add_two_cpus(f, 1);
	n3t_quality_of_several(&f->quality, N3T_METRIC_ipc, f->view, 2);
	expect_text(test, N3T_METRIC_ipc,
		    "ipc value=0.500000 low=none high=none coverage=50.00 slices=5\n");
}

/* CPUs without a value affect neither slices nor coverage nor the interval. */
static void cpus_without_a_value_do_not_change_the_quality(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct n3t_quality alone;

	add_two_cpus(f, 0);
	n3t_quality_of_cpu(&alone, N3T_METRIC_ipc, &f->view[0]);
	n3t_quality_of_several(&f->quality, N3T_METRIC_ipc, f->view, 2);
	KUNIT_EXPECT_EQ(test, f->quality.verdict, N3T_VALUE);
	KUNIT_EXPECT_EQ(test, f->quality.slices, alone.slices);
	KUNIT_EXPECT_EQ(test, f->quality.coverage, alone.coverage);
	KUNIT_EXPECT_EQ(test, f->quality.measured.error, alone.measured.error);
	KUNIT_EXPECT_EQ(test, f->quality.measured.low, alone.measured.low);

	n3t_quality_of_several(&f->quality, N3T_METRIC_ipc, f->view, 0);
	KUNIT_EXPECT_EQ(test, f->quality.verdict, N3T_OFFLINE);
	KUNIT_EXPECT_FALSE(test, f->quality.measured.bounded);
}

/* An artificial estimate, which no correction of these slices gives. */
static void estimates_are_printed_after_measured_values(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct n3t_bounds *estimate = &f->quality.estimate;

	add_ipc(f, 0, MEGA, 1000000);
	add_ipc(f, 0, MEGA, 1200000);
	add_ipc(f, 0, MEGA, 800000);
	add_ipc(f, 0, MEGA, 1000000);
	sum_up(f, 0);
	n3t_quality_of_cpu(&f->quality, N3T_METRIC_ipc, &f->view[0]);
	estimate->guarded = 9123455000ll;
	estimate->low = -12;
	estimate->high = 1999999;
	n3t_quality_print(f->text, sizeof(f->text), N3T_METRIC_ipc, &f->quality);
	KUNIT_EXPECT_STREQ(test, f->text,
			   "ipc value=1.000000 low=0.569700 high=1.430300 coverage=100.00 "
			   "slices=4 estimate=0.912346 estimate_low=-0.000012 "
			   "estimate_high=1.999999\n");
	estimate->bounded = false;
	n3t_quality_print(f->text, sizeof(f->text), N3T_METRIC_ipc, &f->quality);
	KUNIT_EXPECT_STREQ(test, f->text,
			   "ipc value=1.000000 low=0.569700 high=1.430300 coverage=100.00 "
			   "slices=4 estimate=0.912346 estimate_low=none estimate_high=none\n");
	/* the error of both is based on the same slices */
	estimate->bounded = true;
	f->quality.remembered = 3;
	n3t_quality_print(f->text, sizeof(f->text), N3T_METRIC_ipc, &f->quality);
	KUNIT_EXPECT_STREQ(test, f->text,
			   "ipc value=1.000000 low=none high=none coverage=100.00 slices=4 "
			   "estimate=0.912346 estimate_low=none estimate_high=none\n");
}

static void quality_exit(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < NR_CPUS_HERE; i++)
		view_drop(&f->view[i]);
}

static struct kunit_case quality_cases[] = {
	KUNIT_CASE(four_slices_give_an_interval),
	KUNIT_CASE(fewer_than_four_slices_give_no_interval),
	KUNIT_CASE(the_error_comes_from_before_the_window),
	KUNIT_CASE(a_steady_value_has_an_interval_of_rounding_only),
	KUNIT_CASE(intervals_too_wide_to_be_useful_are_none),
	KUNIT_CASE(coverage_is_the_counted_share_of_the_window),
	KUNIT_CASE(verdicts_are_printed_instead_of_values),
	KUNIT_CASE(extreme_counts_do_not_overflow),
	KUNIT_CASE(a_cpu_with_one_slice_widens_the_interval),
	KUNIT_CASE(cpus_without_a_value_do_not_change_the_quality),
	KUNIT_CASE(estimates_are_printed_after_measured_values),
	{ }
};

static struct kunit_suite quality_suite = {
	.name = "n3_telemetry_quality",
	.init = quality_init,
	.exit = quality_exit,
	.test_cases = quality_cases,
};

kunit_test_suite(quality_suite);
