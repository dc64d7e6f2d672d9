// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * KUnit: covariances of slices, through the records of a CPU's moments. Expected values were
 * computed with exact fractions by another program, from the definition in covariance.c.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/minmax.h>
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
#define GUARD		0x5ca1ab1e0ddba11ull

/* Variance of a weighted sum of a slice's parts, and the data behind it. */
struct spread {
	struct n3t_real variance;
	u64 differences;
	u64 freedom;
};

struct fixture {
	struct n3t_plan plan;
	struct n3t_ring ring;			/* nothing is kept in it */
	struct n3t_covariance covariance;
	struct n3t_anchor_totals anchors;
	struct n3t_slice slice;
	int weight[N3T_MAX_PARTS];	/* in eighths */
	struct moments *moments;
	struct n3t_matrix matrix;		/* of moments */
	s64 entry[N3T_MAX_PARTS * (N3T_MAX_PARTS + 1) / 2];
	struct spread spread;
	u64 *guard;
	u32 random;
};

static void begin(struct kunit *test, unsigned int slices)
{
	struct fixture *f = test->priv;
	size_t bytes;
	u8 *memory;

	bytes = n3t_covariance_bytes(&f->plan);
	memory = kunit_kzalloc(test, bytes + sizeof(u64), GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, memory);
	f->guard = (u64 *)(memory + bytes);
	*f->guard = GUARD;
	n3t_covariance_init(&f->covariance, memory, &f->plan, slices);
	memory = kunit_kzalloc(test, n3t_ring_bytes(&f->plan, 1), GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, memory);
	n3t_ring_init(&f->ring, memory, &f->plan, 1);
	n3t_anchors_init(&f->anchors, memory, &f->plan, 1);
}

static void make_plan(struct kunit *test, unsigned int budget, unsigned int slices)
{
	struct fixture *f = test->priv;
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);

	bitmap_fill(groups, N3T_NR_GROUPS);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(&f->plan, budget, groups, NULL, NULL), 0);
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

/* Weighted entry of two parts, in the smallest unit of those with a weight. */
static __int128 weighed(const struct fixture *f, unsigned int i, unsigned int k, int unit)
{
	const struct n3t_matrix *matrix = &f->matrix;
	int weight = f->weight[matrix->part[i]] * f->weight[matrix->part[k]];
	int at = n3t_matrix_at(matrix, i, k);

	if (!weight || at == N3T_NO_ENTRY)
		return 0;
	return (__int128)f->entry[at] * weight *
	       ((__int128)1 << (matrix->shift[i] + matrix->shift[k] - unit));
}

/* weight' * entries * weight */
static struct n3t_real variance_of(const struct fixture *f)
{
	const struct n3t_matrix *matrix = &f->matrix;
	unsigned int i, k;
	__int128 sum = 0;
	int unit = 64;

	for (i = 0; i < matrix->nr; i++)
		if (f->weight[matrix->part[i]])
			unit = min(unit, (int)matrix->shift[i]);
	for (i = 0; i < matrix->nr; i++)
		for (k = 0; k < matrix->nr; k++)
			sum += weighed(f, i, k, 2 * unit);
	return n3t_real_wide(sum, 2 * unit - 2 * N3T_UNIT_BITS - N3T_ENTRY_BITS - 6);
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

	make_plan(test, BUDGET, 100);
	f->weight[retired(f)] = 8;
	KUNIT_EXPECT_FALSE(test, ipc_spread(f));
	add_ipc(f, 4 * MS, 10 * MEGA, 7000);
	KUNIT_EXPECT_FALSE(test, ipc_spread(f));
	add_ipc(f, 4 * MS, 10 * MEGA, 7010);
	KUNIT_ASSERT_TRUE(test, ipc_spread(f));
	EXPECT_NEAR(test, f->spread.variance, 50, 0);
	KUNIT_EXPECT_EQ(test, f->spread.differences, 1ull);
	KUNIT_EXPECT_EQ(test, f->spread.freedom, 1ull);

	/* 10 and -30: half the mean of 100 and 900 */
	add_ipc(f, 4 * MS, 10 * MEGA, 6980);
	KUNIT_ASSERT_TRUE(test, ipc_spread(f));
	EXPECT_NEAR(test, f->spread.variance, 250, 0);
	KUNIT_EXPECT_EQ(test, f->spread.differences, 2ull);
}

static void dropped_slices_and_other_sets_are_ignored(struct kunit *test)
{
	struct fixture *f = test->priv;

	make_plan(test, BUDGET, 100);
	f->weight[retired(f)] = 8;
	add_ipc(f, 4 * MS, 10 * MEGA, 7000);
	f->slice.state = N3T_SLICE_CUT;
	f->slice.cycles = 1;
	end_slice(f);
	f->slice.state = N3T_SLICE_KEPT;
	f->slice.set = set_of(f, N3T_METRIC_backend_bound);
	end_slice(f);
	f->slice.set = f->plan.nr_sets;
	end_slice(f);
	add_ipc(f, 4 * MS, 10 * MEGA, 7010);
	KUNIT_ASSERT_TRUE(test, ipc_spread(f));
	EXPECT_NEAR(test, f->spread.variance, 50, 0);
	KUNIT_EXPECT_EQ(test, f->spread.differences, 1ull);
}

static u32 next_random(struct fixture *f)
{
	f->random = (f->random * 1103515245u + 12345u) % (1u << 31);
	return f->random >> 8;
}

static void add_random(struct fixture *f, unsigned int n)
{
	u32 a = next_random(f) % 1000, b = next_random(f) % 500, t = next_random(f) % 3000;

	add_ipc(f, 4000000 + t, 12000000 + 1000 * a,
		9000000 + 700 * a + 100 * b + (n % 50 == 7 ? 5000000 : 0));
}

/* By number of slices: the variance of -3/4 cycles + instructions + time / 8. */
static const struct memory_row {
	unsigned int slices;
	s64 digits;
	int exponent;
	u64 freedom;
} memory_rows[] = {
	{ 2, 4946298781ll, -3, 1 },
	{ 3, 1325575299ll, -2, 1 },
	{ 8, 1787199151ll, 3, 5 },
	{ 9, 3098384901ll, 3, 5 },	/* first decay by an eighth */
	{ 10, 2711118625ll, 3, 6 },
	{ 64, 8579153509ll, 2, 38 },
	{ 65, 8374934121ll, 2, 32 },
	{ 300, 3656963888ll, 2, 68 },
};

static void the_memory_decays(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i, n = 0;

	make_plan(test, BUDGET, 100);
	f->random = 12345;
	f->weight[N3T_PART_TIME] = 1;
	f->weight[N3T_PART_CYCLES] = -6;
	f->weight[retired(f)] = 8;
	for (i = 0; i < ARRAY_SIZE(memory_rows); i++) {
		const struct memory_row *row = &memory_rows[i];

		while (n < row->slices)
			add_random(f, n++);
		KUNIT_ASSERT_TRUE(test, ipc_spread(f));
		/* what remains of 1e5 times as much */
		EXPECT_WITHIN(test, f->spread.variance, row->digits, row->exponent, 12);
		KUNIT_EXPECT_EQ_MSG(test, f->spread.freedom, row->freedom, "%u slices",
				    row->slices);
	}
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
		make_plan(test, BUDGET, rows[i].slices);
		f->slice.set = set_of(f, N3T_METRIC_backend_bound);
		f->slice.state = N3T_SLICE_KEPT;
		for (n = 0; n < 5000; n++) {
			f->slice.cycles = n % 2;
			end_slice(f);
		}
		f->weight[N3T_PART_CYCLES] = 8;
		KUNIT_ASSERT_TRUE(test, spread_of(f, f->slice.set));
		KUNIT_EXPECT_EQ(test, f->spread.differences, rows[i].differences);
		EXPECT_WITHIN(test, f->spread.variance, 5, -1, 12);
	}
}

/* A miss in two of four slices, with 12 million cycles that vary by a tenth. */
static void rare_events_keep_their_precision_next_to_frequent_ones(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	make_plan(test, BUDGET, 100);
	f->weight[retired(f)] = 8;
	for (i = 0; i < 1001; i++)
		add_ipc(f, 4 * MS, 12 * MEGA + i % 7 * 200000, i / 2 % 2);
	KUNIT_ASSERT_TRUE(test, ipc_spread(f));
	/* a difference of 1 in every other pair */
	EXPECT_WITHIN(test, f->spread.variance, 25, -2, 12);
}

/* Any counts, without overflow. Small differences have their full effect afterwards. */
static void units_grow_and_shrink(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	make_plan(test, BUDGET, 100);
	f->weight[N3T_PART_CYCLES] = 8;
	for (i = 0; i < 500; i++)
		add_ipc(f, i % 3 ? U64_MAX : 0, i % 2 ? 1ull << 62 : 0, i % 2 ? U64_MAX : 0);
	KUNIT_ASSERT_TRUE(test, ipc_spread(f));
	/* clamped to 2^58 */
	EXPECT_WITHIN(test, f->spread.variance, 415383748682786205ll, 17, 12);

	for (i = 0; i < 20000; i++)
		add_ipc(f, 4 * MS, 1000000 + i % 2 * 100, 1000);
	KUNIT_ASSERT_TRUE(test, ipc_spread(f));
	EXPECT_WITHIN(test, f->spread.variance, 5000, 0, 12);
}

/* Every budget; the guard, and the sanitizer in user space, detect writes past the end. */
static void every_part_of_every_set_is_kept(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int budget, set, i, n;

	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		make_plan(test, budget, 100);
		f->slice.state = N3T_SLICE_KEPT;
		for (n = 0; n < 20; n++) {
			f->slice.time_ns = n * n;
			f->slice.cycles = 3 * n;
			for (i = 0; i < budget; i++)
				f->slice.count[i] = n % 2 * (i + 1);
			for (set = 0; set < f->plan.nr_sets; set++) {
				f->slice.set = set;
				end_slice(f);
			}
		}
		KUNIT_EXPECT_EQ(test, *f->guard, GUARD);
		for (set = 0; set < f->plan.nr_sets; set++) {
			for (i = 0; i < f->plan.set[set].nr; i++) {
				memset(f->weight, 0, sizeof(f->weight));
				f->weight[N3T_PART_COUNTS + i] = 16;
				KUNIT_EXPECT_TRUE(test, spread_of(f, set));
				/* 4 (i + 1)^2 / 2 */
				EXPECT_WITHIN(test, f->spread.variance, 2 * (i + 1) * (i + 1), 0,
					      16);
			}
		}
	}
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

/* The covariance of two parts of a set. */
static struct n3t_real entry_of(const struct fixture *f, unsigned int a, unsigned int b)
{
	const struct n3t_matrix *matrix = &f->matrix;
	unsigned int i, k;
	int at;

	for (i = 0; i < matrix->nr - 1 && matrix->part[i] != a; i++)
		;
	for (k = 0; k < matrix->nr - 1 && matrix->part[k] != b; k++)
		;
	at = n3t_matrix_at(matrix, i, k);
	if (at == N3T_NO_ENTRY)
		return n3t_real_make(-1, 0);
	return n3t_real_make(f->entry[at], matrix->shift[i] + matrix->shift[k] -
			     2 * N3T_UNIT_BITS - N3T_ENTRY_BITS);
}

static void entries_are_half_the_mean_products(struct kunit *test)
{
	static const u64 slices[][4] = {
		/* time, cycles, two counts */
		{ 4000, 100000, 200000, 7000 },
		{ 4010, 100400, 200800, 7003 },
		{ 3990, 100100, 199100, 7001 },
	};
	struct fixture *f = test->priv;
	unsigned int set, first, second, i;

	make_plan(test, BUDGET, 100);
	/* Topdown_L1: these events are combined with each other */
	set = set_of(f, N3T_METRIC_retiring);
	first = part_of(f, N3T_METRIC_retiring, N3T_CODE_OP_RETIRED);
	second = part_of(f, N3T_METRIC_retiring, N3T_CODE_OP_SPEC);
	for (i = 0; i < ARRAY_SIZE(slices); i++) {
		memset(&f->slice, 0, sizeof(f->slice));
		f->slice.set = set;
		f->slice.time_ns = slices[i][0];
		f->slice.cycles = slices[i][1];
		f->slice.count[first - N3T_PART_COUNTS] = slices[i][2];
		f->slice.count[second - N3T_PART_COUNTS] = slices[i][3];
		end_slice(f);
	}
	KUNIT_ASSERT_TRUE(test, spread_of(f, set));
	/* differences: 10 and -20; 400 and -300; 800 and -1700; 3 and -2 */
	EXPECT_NEAR(test, entry_of(f, N3T_PART_TIME, N3T_PART_TIME), 500 / 4, 0);
	EXPECT_NEAR(test, entry_of(f, N3T_PART_CYCLES, N3T_PART_TIME), 10000 / 4, 0);
	EXPECT_NEAR(test, entry_of(f, N3T_PART_CYCLES, first), 830000 / 4, 0);
	EXPECT_NEAR(test, entry_of(f, first, N3T_PART_CYCLES), 830000 / 4, 0);
	EXPECT_NEAR(test, entry_of(f, first, first), 3530000 / 4, 0);
	EXPECT_NEAR(test, entry_of(f, first, second), 5800 / 4, 0);
	EXPECT_NEAR(test, entry_of(f, second, second), 325, -2);
	EXPECT_NEAR(test, entry_of(f, second, N3T_PART_TIME), 175, -1);
	EXPECT_NEAR(test, entry_of(f, first, part_of(f, N3T_METRIC_retiring, N3T_CODE_STALL_SLOT)),
		    0, 0);
}

static void moments_exit(struct kunit *test)
{
	drop_moments(((struct fixture *)test->priv)->moments);
}

static struct kunit_case moments_cases[] = {
	KUNIT_CASE(half_the_square_of_a_difference),
	KUNIT_CASE(dropped_slices_and_other_sets_are_ignored),
	KUNIT_CASE(the_memory_decays),
	KUNIT_CASE(the_memory_is_as_long_as_the_window),
	KUNIT_CASE(rare_events_keep_their_precision_next_to_frequent_ones),
	KUNIT_CASE(units_grow_and_shrink),
	KUNIT_CASE(every_part_of_every_set_is_kept),
	KUNIT_CASE(a_plan_without_sets_has_one_record),
	KUNIT_CASE(a_set_without_products_keeps_its_slices),
	KUNIT_CASE(entries_are_half_the_mean_products),
	{}
};

static struct kunit_suite moments_suite = {
	.name = "n3_telemetry_moments",
	.init = moments_init,
	.exit = moments_exit,
	.test_cases = moments_cases,
};

kunit_test_suite(moments_suite);
