// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * KUnit: intervals, coverage and how they are printed. What is expected was
 * computed with exact fractions and the published quantiles by another program.
 * selftests/user/quality_test.py tests intervals on workloads at length.
 */
#include <linux/overflow.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "plan.h"
#include "quality.h"
#include "slices.h"
#include "spec.h"

#define SLOTS		256
#define MS		1000000ull
#define MEGA		1000000ull
#define NR_CPUS_HERE	2

struct fixture {
	struct n3t_plan plan;
	struct n3t_ring ring[NR_CPUS_HERE];
	struct n3t_view view[NR_CPUS_HERE];
	struct n3t_quality quality;
	u64 now;
	char text[256];
};

static int quality_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	unsigned int i;
	void *slots;

	test->priv = f;
	if (!f)
		return -ENOMEM;

	bitmap_fill(groups, N3T_NR_GROUPS);
	if (n3t_plan_make(&f->plan, 6, groups))
		return -EINVAL;
	f->now = 1000 * MS;
	for (i = 0; i < NR_CPUS_HERE; i++) {
		slots = kunit_kzalloc(test, n3t_ring_bytes(SLOTS, 6), GFP_KERNEL);
		f->view[i].window = kunit_kzalloc(test, struct_size(f->view[i].window, sum,
								    f->plan.nr_sets), GFP_KERNEL);
		if (!slots || !f->view[i].window)
			return -ENOMEM;
		n3t_ring_init(&f->ring[i], slots, SLOTS, 6);
		f->view[i].state = N3T_CPU_SAMPLING;
		f->view[i].plan = &f->plan;
		f->view[i].ring = &f->ring[i];
		f->view[i].since_ns = f->now;
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
	n3t_ring_commit(&f->ring[cpu]);
}

static void sum_up(struct fixture *f, unsigned int cpu)
{
	struct n3t_window *window = (struct n3t_window *)f->view[cpu].window;

	n3t_window_sum(window, &f->ring[cpu], &f->plan, f->view[cpu].since_ns);
	n3t_window_judge(window, &f->plan);
	f->view[cpu].until_ns = f->now;
}

static void expect_line(struct kunit *test, enum n3t_metric metric, const char *line)
{
	struct fixture *f = test->priv;

	sum_up(f, 0);
	n3t_quality_of_cpu(&f->quality, metric, &f->view[0]);
	n3t_quality_print(f->text, sizeof(f->text), metric, &f->quality);
	KUNIT_EXPECT_STREQ(test, f->text, line);
}

static void four_slices_give_an_interval(struct kunit *test)
{
	struct fixture *f = test->priv;

	add_ipc(f, 0, MEGA, 1000000);
	add_ipc(f, 0, MEGA, 1200000);
	add_ipc(f, 0, MEGA, 800000);
	add_ipc(f, 0, MEGA, 1000000);
	/* t = 3.182; 0.7401907... and 1.2598092... */
	expect_line(test, N3T_METRIC_ipc,
		    "ipc value=1.000000 low=0.740190 high=1.259810 coverage=100.00 slices=4\n");
	KUNIT_EXPECT_EQ(test, f->quality.error, 259810ll);
}

/* The error that n3t_bottleneck_step() uses is known from two slices on. */
static void fewer_than_four_slices_give_no_interval(struct kunit *test)
{
	struct fixture *f = test->priv;

	add_ipc(f, 0, MEGA, 1000000);
	expect_line(test, N3T_METRIC_ipc,
		    "ipc value=1.000000 low=none high=none coverage=100.00 slices=1\n");
	KUNIT_EXPECT_FALSE(test, f->quality.bounded);

	add_ipc(f, 0, MEGA, 1200000);
	add_ipc(f, 0, MEGA, 800000);
	expect_line(test, N3T_METRIC_ipc,
		    "ipc value=1.000000 low=none high=none coverage=100.00 slices=3\n");
	KUNIT_EXPECT_TRUE(test, f->quality.bounded);
	KUNIT_EXPECT_EQ(test, f->quality.error, 496868ll);	/* t = 4.303 */
}

/* The value depends on the slice of 8 million cycles, so the interval is wide. */
static void a_dominant_slice_widens_the_interval(struct kunit *test)
{
	struct fixture *f = test->priv;

	add_ipc(f, 0, 8000000, 4000000);
	add_ipc(f, 0, 500000, 900000);
	add_ipc(f, 0, 1000000, 700000);
	add_ipc(f, 0, 250000, 300000);
	add_ipc(f, 0, 2000000, 2600000);
	expect_line(test, N3T_METRIC_ipc,
		    "ipc value=0.723404 low=-0.501902 high=1.948711 coverage=100.00 slices=5\n");
}

static void bad_speculation_has_the_expected_interval(struct kunit *test)
{
	static const u64 rows[][5] = {
		{ 1000000, 2000000, 2000000, 2500000, 10000 },
		{ 2000000, 5000000, 3000000, 4500000, 50000 },
		{ 1000000, 1000000, 3000000, 3300000, 5000 },
		{ 500000, 1700000, 600000, 800000, 9000 },
		{ 3000000, 6000000, 7000000, 8800000, 20000 },
	};
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct n3t_slice *slice = begin_slice(f, 0, N3T_METRIC_bad_speculation,
						      rows[i][0]);

		set_count(f, slice, N3T_CODE_STALL_SLOT, rows[i][1]);
		set_count(f, slice, N3T_CODE_OP_RETIRED, rows[i][2]);
		set_count(f, slice, N3T_CODE_OP_SPEC, rows[i][3]);
		set_count(f, slice, N3T_CODE_STALL_FRONTEND_FLUSH, rows[i][4]);
		n3t_ring_commit(&f->ring[0]);
	}
	/* 8.4284257... and 19.2011889... */
	expect_line(test, N3T_METRIC_bad_speculation,
		    "bad_speculation value=13.8148 low=8.4284 high=19.2012 coverage=100.00 slices=5\n");
}

/* Half of slices with an IPC of 0.9 and 1.1, to the exact quantile. */
static const struct interval_row {
	unsigned int slices;
	s64 error;
} interval_rows[] = {
	{ 4, 183739 }, { 6, 114960 }, { 10, 75406 }, { 30, 37979 }, { 32, 36631 },
	{ 40, 32389 }, { 42, 31540 }, { 60, 26051 }, { 62, 25603 }, { 100, 19943 },
	{ 102, 19739 }, { 200, 13979 },
};

/* Between the rows of the table of quantiles at most 2 % too wide, never too narrow. */
static void intervals_follow_students_t(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i, taken = 0;

	for (i = 0; i < ARRAY_SIZE(interval_rows); i++) {
		const struct interval_row *row = &interval_rows[i];

		for (; taken < row->slices; taken++)
			add_ipc(f, 0, MEGA, taken % 2 ? 1100000 : 900000);
		sum_up(f, 0);
		n3t_quality_of_cpu(&f->quality, N3T_METRIC_ipc, &f->view[0]);
		/* the table's last digit may be half a unit short: 1 in 4000 */
		KUNIT_EXPECT_GE_MSG(test, f->quality.error, row->error - row->error / 4000,
				    "%u slices", row->slices);
		KUNIT_EXPECT_LE_MSG(test, f->quality.error, row->error + row->error / 50,
				    "%u slices", row->slices);
	}
}

/* Without noise only the outward rounding is left. */
static void a_steady_value_has_an_interval_of_rounding_only(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < 5; i++)
		add_ipc(f, 0, 2 * MEGA, 1 * MEGA);
	expect_line(test, N3T_METRIC_ipc,
		    "ipc value=0.500000 low=0.500000 high=0.500000 coverage=100.00 slices=5\n");

	f->view[0].since_ns = f->now + 1;
	for (i = 0; i < 5; i++)
		add_ipc(f, 0, 3 * MEGA, 1 * MEGA);
	expect_line(test, N3T_METRIC_ipc,
		    "ipc value=0.333333 low=0.333333 high=0.333334 coverage=100.00 slices=5\n");
}

/* All branches in one slice: without it there is no ratio. */
static void a_value_that_depends_on_one_slice_has_no_interval(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct n3t_slice *slice;
	unsigned int i;

	for (i = 0; i < 6; i++) {
		slice = begin_slice(f, 0, N3T_METRIC_branch_misprediction_ratio, MEGA);
		set_count(f, slice, N3T_CODE_BR_RETIRED, i ? 0 : 1000);
		set_count(f, slice, N3T_CODE_BR_MIS_PRED_RETIRED, i ? 0 : 10);
		n3t_ring_commit(&f->ring[0]);
	}
	sum_up(f, 0);
	n3t_quality_of_cpu(&f->quality, N3T_METRIC_branch_misprediction_ratio, &f->view[0]);
	KUNIT_EXPECT_EQ(test, f->quality.verdict, N3T_VALUE);
	KUNIT_EXPECT_FALSE(test, f->quality.bounded);
}

static void add_distractions(struct fixture *f)
{
	struct n3t_slice *slice;

	begin_slice(f, 0, N3T_METRIC_backend_bound, 77 * MEGA);
	n3t_ring_commit(&f->ring[0]);
	slice = begin_slice(f, 0, N3T_METRIC_ipc, 99 * MEGA);
	slice->state = N3T_SLICE_CUT;
	n3t_ring_commit(&f->ring[0]);
}

/* Other sets, dropped slices, earlier ones and those that come while reading. */
static void slices_outside_the_window_or_set_are_ignored(struct kunit *test)
{
	struct fixture *f = test->priv;

	add_ipc(f, 0, MEGA, 5 * MEGA);
	f->view[0].since_ns = f->now + 1;
	add_ipc(f, 0, MEGA, 1000000);
	add_distractions(f);
	add_ipc(f, 0, MEGA, 1200000);
	add_ipc(f, 0, MEGA, 800000);
	add_distractions(f);
	add_ipc(f, 0, MEGA, 1000000);
	sum_up(f, 0);
	add_ipc(f, 0, MEGA, 9 * MEGA);
	n3t_quality_of_cpu(&f->quality, N3T_METRIC_ipc, &f->view[0]);
	n3t_quality_print(f->text, sizeof(f->text), N3T_METRIC_ipc, &f->quality);
	/* 4 of 8 slices; the window starts a nanosecond after the first of them */
	KUNIT_EXPECT_STREQ(test, f->text,
			   "ipc value=1.000000 low=0.740190 high=1.259810 coverage=49.99 slices=4\n");
}

/* The writer wraps around to half of the slices: the error comes from the other half. */
static void the_error_comes_from_slices_not_overwritten(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;
	s64 before;

	for (i = 0; i < 200; i++)
		add_ipc(f, 0, MEGA, i % 2 ? 1100000 : 900000);
	sum_up(f, 0);
	n3t_quality_of_cpu(&f->quality, N3T_METRIC_ipc, &f->view[0]);
	before = f->quality.error;
	for (i = 0; i < SLOTS - 100; i++)
		add_ipc(f, 0, MEGA, 9 * MEGA);
	n3t_quality_of_cpu(&f->quality, N3T_METRIC_ipc, &f->view[0]);
	KUNIT_EXPECT_TRUE(test, f->quality.bounded);
	KUNIT_EXPECT_EQ(test, f->quality.slices, 200ull);
	KUNIT_EXPECT_GE(test, f->quality.error, before - before / 100);
	KUNIT_EXPECT_LE(test, f->quality.error, before + before / 100);

	for (i = 0; i < SLOTS; i++)
		add_ipc(f, 0, MEGA, 9 * MEGA);
	n3t_quality_of_cpu(&f->quality, N3T_METRIC_ipc, &f->view[0]);
	KUNIT_EXPECT_FALSE(test, f->quality.bounded);
}

/* A slice that started before the window counts for its part in it. */
static void coverage_is_the_counted_share_of_the_window(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct n3t_slice *slice;

	slice = begin_slice(f, 0, N3T_METRIC_ipc, 10 * MEGA);
	slice->time_ns = 500 * MS;
	n3t_ring_commit(&f->ring[0]);
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
	begin_slice(f, 0, N3T_METRIC_backend_bound, MEGA);
	n3t_ring_commit(&f->ring[0]);
	expect_line(test, N3T_METRIC_ipc,
		    "ipc value=stale low=none high=none coverage=0.00 slices=0\n");
	f->view[0].state = N3T_CPU_OFFLINE;
	f->view[0].window = NULL;
	n3t_quality_of_cpu(&f->quality, N3T_METRIC_ipc, &f->view[0]);
	n3t_quality_print(f->text, sizeof(f->text), N3T_METRIC_ipc, &f->quality);
	KUNIT_EXPECT_STREQ(test, f->text,
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
	KUNIT_EXPECT_TRUE(test, f->quality.bounded);

	/* Absurdly large values: no interval, and no overflow. */
	f->view[0].since_ns = f->now + 1;
	for (i = 0; i < 4; i++)
		add_ipc(f, 0, i ? 1 : N3T_IDLE_CYCLES, 1ull << (40 + 5 * i));
	sum_up(f, 0);
	n3t_quality_of_cpu(&f->quality, N3T_METRIC_ipc, &f->view[0]);
	KUNIT_EXPECT_EQ(test, f->quality.verdict, N3T_VALUE);
	KUNIT_EXPECT_FALSE(test, f->quality.bounded);
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
	f->view[0].until_ns = f->now;
}

/* Rates of 1 and 0.62 million per 20 ms over 3: 0.54; 6.94 degrees of freedom, so 7. */
static void variances_of_cpus_add_up(struct kunit *test)
{
	struct fixture *f = test->priv;

	add_two_cpus(f, 5);
	n3t_quality_of_several(&f->quality, N3T_METRIC_ipc, f->view, 2);
	n3t_quality_print(f->text, sizeof(f->text), N3T_METRIC_ipc, &f->quality);
	KUNIT_EXPECT_STREQ(test, f->text,
			   "ipc value=0.540000 low=0.446501 high=0.633499 coverage=50.00 slices=9\n");
}

/* One slice of the second CPU: the error is that of leaving that CPU out. */
static void a_cpu_with_one_slice_widens_the_interval(struct kunit *test)
{
	struct fixture *f = test->priv;

	add_two_cpus(f, 1);
	n3t_quality_of_several(&f->quality, N3T_METRIC_ipc, f->view, 2);
	n3t_quality_print(f->text, sizeof(f->text), N3T_METRIC_ipc, &f->quality);
	KUNIT_EXPECT_STREQ(test, f->text,
			   "ipc value=0.500000 low=-5.862405 high=6.862405 coverage=50.00 slices=5\n");
}

/* CPUs without a value count neither in slices nor in coverage nor in the interval. */
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
	KUNIT_EXPECT_EQ(test, f->quality.error, alone.error);
	KUNIT_EXPECT_EQ(test, f->quality.low, alone.low);

	n3t_quality_of_several(&f->quality, N3T_METRIC_ipc, f->view, 0);
	KUNIT_EXPECT_EQ(test, f->quality.verdict, N3T_OFFLINE);
	KUNIT_EXPECT_FALSE(test, f->quality.bounded);
}

static void scaled_integers_are_printed_as_decimals(struct kunit *test)
{
	static const struct {
		s64 scaled;
		unsigned int decimals;
		const char *text;
	} rows[] = {
		{ 0, 4, "0.0000" },
		{ -1, 4, "-0.0001" },
		{ 1234567, 4, "123.4567" },
		{ -1234567, 0, "-1234567" },
		{ S64_MAX, 6, "9223372036854.775807" },
		{ S64_MIN, 6, "-9223372036854.775808" },
	};
	char text[N3T_SCALED_SIZE];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		n3t_scaled_print(text, sizeof(text), rows[i].scaled, rows[i].decimals);
		KUNIT_EXPECT_STREQ(test, text, rows[i].text);
	}
}

static struct kunit_case quality_cases[] = {
	KUNIT_CASE(four_slices_give_an_interval),
	KUNIT_CASE(fewer_than_four_slices_give_no_interval),
	KUNIT_CASE(a_dominant_slice_widens_the_interval),
	KUNIT_CASE(bad_speculation_has_the_expected_interval),
	KUNIT_CASE(intervals_follow_students_t),
	KUNIT_CASE(a_steady_value_has_an_interval_of_rounding_only),
	KUNIT_CASE(a_value_that_depends_on_one_slice_has_no_interval),
	KUNIT_CASE(slices_outside_the_window_or_set_are_ignored),
	KUNIT_CASE(the_error_comes_from_slices_not_overwritten),
	KUNIT_CASE(coverage_is_the_counted_share_of_the_window),
	KUNIT_CASE(verdicts_are_printed_instead_of_values),
	KUNIT_CASE(extreme_counts_do_not_overflow),
	KUNIT_CASE(variances_of_cpus_add_up),
	KUNIT_CASE(a_cpu_with_one_slice_widens_the_interval),
	KUNIT_CASE(cpus_without_a_value_do_not_change_the_quality),
	KUNIT_CASE(scaled_integers_are_printed_as_decimals),
	{ }
};

static struct kunit_suite quality_suite = {
	.name = "n3_telemetry_quality",
	.init = quality_init,
	.test_cases = quality_cases,
};

kunit_test_suite(quality_suite);
