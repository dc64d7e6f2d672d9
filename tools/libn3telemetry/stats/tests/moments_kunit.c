// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * KUnit: covariances of slices, through the records of a CPU's moments. Expected values were
 * computed with exact fractions by another program, from the definition in covariance.c.
 * selftests/user/moments_test.py compares the sums with those of the slices, and reference_test.py
 * the variances that follow as the memory decays.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/plan.h"
#include "libn3t/spec.h"
#include "libn3t/covariance.h"
#include "libn3telemetry/stats/matrix.h"
#include "real_expect.h"
#include "view_take.h"

#define MS		1000000ull
#define MEGA		1000000ull
#define BUDGET		6

/* Variance of a part of a set's slices, and the data behind it. */
struct spread {
	double variance;
	u64 differences;
	u64 freedom;
};

struct fixture {
	struct n3t_plan plan;
	struct n3t_ring ring;			/* nothing is kept in it */
	struct n3t_covariance covariance;
	struct n3t_anchor_totals anchors;
	struct n3t_slice slice;
	unsigned int part;		/* whose variance is found */
	struct moments *moments;
	struct n3t_matrix matrix;		/* of moments */
	s64 entry[N3T_MAX_PARTS * (N3T_MAX_PARTS + 1) / 2];
	struct spread spread;
};

static void begin(struct kunit *test, unsigned int slices)
{
	struct fixture *f = test->priv;
	void *memory;

	memory = kunit_kzalloc(test, n3t_covariance_bytes(&f->plan), GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, memory);
	n3t_covariance_init(&f->covariance, memory, &f->plan, slices);
	memory = kunit_kzalloc(test, n3t_ring_bytes(&f->plan, 1), GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, memory);
	n3t_ring_init(&f->ring, memory, &f->plan, 1);
	n3t_anchors_init(&f->anchors, memory, &f->plan, 1);
}

static void make_plan(struct kunit *test, unsigned int slices)
{
	struct fixture *f = test->priv;
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);

	bitmap_fill(groups, N3T_NR_GROUPS);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(&f->plan, BUDGET, groups, NULL, NULL), 0);
	begin(test, slices);
}

static int moments_init(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct fixture), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static unsigned int set_of(const struct fixture *f, enum n3t_metric metric)
{
	return f->plan.set_of[metric];
}

static unsigned int part_of(const struct fixture *f, enum n3t_metric metric, u16 code)
{
	const struct n3t_set *set = &f->plan.set[set_of(f, metric)];
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		if (set->code[i] == code)
			return N3T_PART_COUNTS + i;
	return N3T_PART_COUNTS;
}

static unsigned int retired(const struct fixture *f)
{
	return part_of(f, N3T_METRIC_ipc, N3T_CODE_INST_RETIRED);
}

static void end_slice(struct fixture *f)
{
	struct n3t_slice *slice = n3t_ring_begin(&f->ring);

	n3t_covariance_add(&f->covariance, &f->slice);
	slice->set = f->slice.set;
	slice->state = N3T_SLICE_CUT;
	n3t_ring_commit(&f->ring);
}

static void add_ipc(struct fixture *f, u64 time_ns, u64 cycles, u64 instructions)
{
	f->slice.set = set_of(f, N3T_METRIC_ipc);
	f->slice.state = N3T_SLICE_KEPT;
	f->slice.time_ns = time_ns;
	f->slice.cycles = cycles;
	f->slice.count[retired(f) - N3T_PART_COUNTS] = instructions;
	end_slice(f);
}

/* Of the part, without the edges of a window. */
static double variance_of(const struct fixture *f)
{
	const struct n3t_matrix *matrix = &f->matrix;
	unsigned int i;

	for (i = 0; i < matrix->nr - 1 && matrix->part[i] != f->part; i++)
		;
	return ldexp(f->entry[n3t_matrix_at(matrix, i, i)],
		     2 * matrix->shift[i] - 2 * N3T_UNIT_BITS - N3T_ENTRY_BITS);
}

static void take(struct fixture *f)
{
	struct n3t_moments from = {
		.run = 1, .state = N3T_CPU_SAMPLING, .plan = &f->plan, .ring = &f->ring,
		.covariance = &f->covariance, .anchors = &f->anchors,
	};

	drop_moments(f->moments);
	f->moments = take_moments(&from);
}

static bool spread_of(struct fixture *f, unsigned int set)
{
	struct spread *spread = &f->spread;

	take(f);
	spread->differences = f->moments ? moments_covariance(f->moments, set, &f->matrix,
							       f->entry, &spread->freedom) : 0;
	if (!spread->differences)
		return false;
	spread->variance = variance_of(f);
	return true;
}

static bool ipc_spread(struct fixture *f)
{
	return spread_of(f, set_of(f, N3T_METRIC_ipc));
}

static void half_the_square_of_a_difference(struct kunit *test)
{
	struct fixture *f = test->priv;

	make_plan(test, 100);
	f->part = retired(f);
	KUNIT_EXPECT_FALSE(test, ipc_spread(f));
	add_ipc(f, 4 * MS, 10 * MEGA, 7000);
	KUNIT_EXPECT_FALSE(test, ipc_spread(f));
	add_ipc(f, 4 * MS, 10 * MEGA, 7010);
	KUNIT_ASSERT_TRUE(test, ipc_spread(f));
	EXPECT_NEAR(test, f->spread.variance, 50);
	KUNIT_EXPECT_EQ(test, f->spread.differences, 1ull);
	KUNIT_EXPECT_EQ(test, f->spread.freedom, 1ull);

	/* 10 and -30: half the mean of 100 and 900 */
	add_ipc(f, 4 * MS, 10 * MEGA, 6980);
	KUNIT_ASSERT_TRUE(test, ipc_spread(f));
	EXPECT_NEAR(test, f->spread.variance, 250);
	KUNIT_EXPECT_EQ(test, f->spread.differences, 2ull);
}

/* Topdown_L1 gets half of the slices, so a longer window lengthens its memory. */
static void the_memory_is_as_long_as_the_window(struct kunit *test)
{
	static const struct {
		unsigned int slices;
		u64 differences;
	} rows[] = { { 1, 64 }, { 128, 64 }, { 130, 128 }, { 500, 256 }, { 100000, 4096 } };
	struct fixture *f = test->priv;
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		make_plan(test, rows[i].slices);
		f->slice.set = set_of(f, N3T_METRIC_backend_bound);
		f->slice.state = N3T_SLICE_KEPT;
		for (n = 0; n < 5000; n++) {
			f->slice.cycles = n % 2;
			end_slice(f);
		}
		f->part = N3T_PART_CYCLES;
		KUNIT_ASSERT_TRUE(test, spread_of(f, f->slice.set));
		KUNIT_EXPECT_EQ(test, f->spread.differences, rows[i].differences);
		EXPECT_WITHIN(test, f->spread.variance, 0.5, 12);
	}
}

/* A miss in two of four slices, with 12 million cycles that vary by a tenth. */
static void rare_events_keep_their_precision_next_to_frequent_ones(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	make_plan(test, 100);
	f->part = retired(f);
	for (i = 0; i < 1001; i++)
		add_ipc(f, 4 * MS, 12 * MEGA + i % 7 * 200000, i / 2 % 2);
	KUNIT_ASSERT_TRUE(test, ipc_spread(f));
	/* a difference of 1 in every other pair */
	EXPECT_WITHIN(test, f->spread.variance, 0.25, 12);
}

/* Any counts, without overflow. Small differences have their full effect afterwards. */
static void units_grow_and_shrink(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	make_plan(test, 100);
	f->part = N3T_PART_CYCLES;
	for (i = 0; i < 500; i++)
		add_ipc(f, i % 3 ? U64_MAX : 0, i % 2 ? 1ull << 62 : 0, i % 2 ? U64_MAX : 0);
	KUNIT_ASSERT_TRUE(test, ipc_spread(f));
	/* clamped to 2^58 */
	EXPECT_WITHIN(test, f->spread.variance, 415383748682786205e17, 12);

	for (i = 0; i < 20000; i++)
		add_ipc(f, 4 * MS, 1000000 + i % 2 * 100, 1000);
	KUNIT_ASSERT_TRUE(test, ipc_spread(f));
	EXPECT_WITHIN(test, f->spread.variance, 5000, 12);
}

/* A metric that needs more events than there are counters has no set; slices are counted. */
static void a_plan_without_sets_has_one_record(struct kunit *test)
{
	struct fixture *f = test->priv;
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);

	bitmap_zero(groups, N3T_NR_GROUPS);
	__set_bit(N3T_GROUP_Miss_Ratio, groups);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(&f->plan, 1, groups, NULL, NULL), 0);
	KUNIT_ASSERT_EQ(test, f->plan.nr_sets, 0u);
	begin(test, 100);
	f->slice.state = N3T_SLICE_KEPT;
	end_slice(f);
	take(f);
	KUNIT_ASSERT_TRUE(test, f->moments);
	KUNIT_EXPECT_EQ(test, f->moments->records, 1u);
	KUNIT_EXPECT_EQ(test, f->moments->slices, 0ull);
}

/* The custom set has no metric, hence no products. */
static void a_set_without_products_keeps_its_slices(struct kunit *test)
{
	static const u16 codes[] = { 0x11, 0x08, 0x1b, 0x21 };
	struct fixture *f = test->priv;
	struct n3t_slice first, last;
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	unsigned int i;

	bitmap_zero(groups, N3T_NR_GROUPS);
	__set_bit(N3T_GROUP_Miss_Ratio, groups);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(&f->plan, BUDGET, groups, NULL, NULL), 0);
	n3t_plan_add_custom(&f->plan, codes, ARRAY_SIZE(codes));
	KUNIT_ASSERT_GE(test, f->plan.custom_set, 0);
	begin(test, 100);
	for (i = 1; i <= 3; i++) {
		struct n3t_slice *slice = n3t_ring_begin(&f->ring);

		memset(slice->count, 0xff, f->plan.budget * sizeof(slice->count[0]));
		slice->count[ARRAY_SIZE(codes) - 1] = i;
		slice->set = f->plan.custom_set;
		slice->state = N3T_SLICE_KEPT;
		slice->end_ns = i;
		slice->time_ns = 1;
		slice->cycles = i;
		n3t_covariance_add(&f->covariance, slice);
		n3t_ring_commit(&f->ring);
	}
	take(f);
	KUNIT_ASSERT_TRUE(test, f->moments);
	KUNIT_EXPECT_TRUE(test, moments_edges(f->moments, f->plan.custom_set, &first, &last));
	KUNIT_EXPECT_EQ(test, last.end_ns, 3ull);
	KUNIT_EXPECT_EQ(test, last.count[ARRAY_SIZE(codes) - 1], 3ull);
}

static void moments_exit(struct kunit *test)
{
	drop_moments(((struct fixture *)test->priv)->moments);
}

static struct kunit_case moments_cases[] = {
	KUNIT_CASE(half_the_square_of_a_difference),
	KUNIT_CASE(the_memory_is_as_long_as_the_window),
	KUNIT_CASE(rare_events_keep_their_precision_next_to_frequent_ones),
	KUNIT_CASE(units_grow_and_shrink),
	KUNIT_CASE(a_plan_without_sets_has_one_record),
	KUNIT_CASE(a_set_without_products_keeps_its_slices),
	{}
};

static struct kunit_suite moments_suite = {
	.name = "n3_telemetry_moments",
	.init = moments_init,
	.exit = moments_exit,
	.test_cases = moments_cases,
};

kunit_test_suite(moments_suite);
