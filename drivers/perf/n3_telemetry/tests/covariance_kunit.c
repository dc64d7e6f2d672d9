// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * KUnit: the sampler's sums of products of differences. selftests/user/moments_test.py compares
 * all products with those of the slices; the suite of the moments, in
 * tools/libn3telemetry/stats/tests, has the variances that they give.
 */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/plan.h"
#include "libn3t/spec.h"
#include "libn3t/covariance.h"

#define MS		1000000ull
#define MEGA		1000000ull
#define BUDGET		6
#define WEIGHT_BITS	16
#define ONE		65536u		/* the weight of a difference */
#define SQUARED_UNITS	256		/* the unit of a difference is 1/16 */
#define GUARD		0x5ca1ab1e0ddba11ull

struct fixture {
	struct n3t_plan plan;
	struct n3t_covariance covariance;
	struct n3t_covariance_sums sums;
	struct n3t_slice slice;
	int unit_bits;
	u64 *guard;
};

static void make_plan(struct kunit *test, unsigned int budget, unsigned int slices)
{
	struct fixture *f = test->priv;
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	size_t bytes;
	void *memory;

	bitmap_fill(groups, N3T_NR_GROUPS);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(&f->plan, budget, groups, NULL, NULL), 0);
	bytes = n3t_covariance_bytes(&f->plan);
	memory = kunit_kzalloc(test, bytes + sizeof(u64), GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, memory);
	f->guard = memory + bytes;
	*f->guard = GUARD;
	n3t_covariance_init(&f->covariance, memory, &f->plan, slices);
}

static int covariance_init(struct kunit *test)
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

static void add_ipc(struct fixture *f, u64 time_ns, u64 cycles, u64 instructions)
{
	f->slice.set = set_of(f, N3T_METRIC_ipc);
	f->slice.state = N3T_SLICE_KEPT;
	f->slice.time_ns = time_ns;
	f->slice.cycles = cycles;
	f->slice.count[retired(f) - N3T_PART_COUNTS] = instructions;
	n3t_covariance_add(&f->covariance, &f->slice);
}

/* The product of two parts of a set; f->unit_bits is the logarithm of its unit. 0: not kept. */
static s64 product_of(struct fixture *f, unsigned int set, unsigned int a, unsigned int b)
{
	const struct n3t_shape *shape = &f->plan.set[set].shape;
	const struct n3t_covariance_sums *sums = &f->sums;
	unsigned int i, k, at = 0;

	n3t_covariance_sums(&f->covariance, set, &f->sums);
	for (i = 0; i < shape->nr_parts; i++)
		for (k = shape->from[i]; k <= i; k++, at++) {
			if (min(a, b) != min(shape->part[i], shape->part[k]) ||
			    max(a, b) != max(shape->part[i], shape->part[k]))
				continue;
			f->unit_bits = sums->shift[i] + sums->shift[k] - 2 * N3T_UNIT_BITS;
			return sums->product[at];
		}
	return 0;
}

static s64 square_of_ipc(struct fixture *f)
{
	return product_of(f, set_of(f, N3T_METRIC_ipc), retired(f), retired(f));
}

static void squares_of_differences_add_up(struct kunit *test)
{
	struct fixture *f = test->priv;

	make_plan(test, BUDGET, 100);
	add_ipc(f, 4 * MS, 10 * MEGA, 7000);
	KUNIT_EXPECT_EQ(test, square_of_ipc(f), 0ll);
	KUNIT_EXPECT_EQ(test, f->sums.differences, 0u);
	add_ipc(f, 4 * MS, 10 * MEGA, 7010);
	KUNIT_EXPECT_EQ(test, square_of_ipc(f), 100ll * SQUARED_UNITS);
	KUNIT_EXPECT_EQ(test, f->sums.differences, 1u);
	KUNIT_EXPECT_EQ(test, f->sums.weight, ONE);
	add_ipc(f, 4 * MS, 10 * MEGA, 6980);
	KUNIT_EXPECT_EQ(test, square_of_ipc(f), 1000ll * SQUARED_UNITS);
	KUNIT_EXPECT_EQ(test, f->sums.differences, 2u);
	KUNIT_EXPECT_EQ(test, f->sums.weight, 2 * ONE);
}

static void dropped_slices_and_other_sets_are_ignored(struct kunit *test)
{
	struct fixture *f = test->priv;

	make_plan(test, BUDGET, 100);
	add_ipc(f, 4 * MS, 10 * MEGA, 7000);
	f->slice.state = N3T_SLICE_CUT;
	f->slice.cycles = 1;
	n3t_covariance_add(&f->covariance, &f->slice);
	f->slice.state = N3T_SLICE_KEPT;
	f->slice.set = set_of(f, N3T_METRIC_backend_bound);
	n3t_covariance_add(&f->covariance, &f->slice);
	f->slice.set = f->plan.nr_sets;
	n3t_covariance_add(&f->covariance, &f->slice);
	add_ipc(f, 4 * MS, 10 * MEGA, 7010);
	KUNIT_EXPECT_EQ(test, square_of_ipc(f), 100ll * SQUARED_UNITS);
	KUNIT_EXPECT_EQ(test, f->sums.differences, 1u);
}

/* The cycles of all pairs of slices differ by 2^@bits, but for the rounding of decayed sums. */
static void expect_cycles(struct kunit *test, int bits)
{
	struct fixture *f = test->priv;
	s64 square = product_of(f, f->slice.set, N3T_PART_CYCLES, N3T_PART_CYCLES), expected;

	expected = (s64)f->sums.weight << (2 * bits - f->unit_bits - WEIGHT_BITS);
	KUNIT_EXPECT_GE(test, square, expected - (expected >> 12));
	KUNIT_EXPECT_LE(test, square, expected + (expected >> 12));
}

/* Any counts, without overflow. Small differences have their full effect afterwards. */
static void units_grow_and_shrink(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i;

	make_plan(test, BUDGET, 100);
	for (i = 0; i < 500; i++)
		add_ipc(f, i % 3 ? U64_MAX : 0, i % 2 ? 1ull << 62 : 0, i % 2 ? U64_MAX : 0);
	/* clamped */
	expect_cycles(test, 58);
	for (i = 0; i < 20000; i++)
		add_ipc(f, 4 * MS, 1000000 + i % 2 * 128, 1000);
	expect_cycles(test, 7);
}

/* A difference has up to 2^20 units, which double with it, up to 2^38 times the smallest. */
static void a_unit_changes_at_its_limit(struct kunit *test)
{
	static const struct {
		s64 by;
		int shift;
		s64 units;
	} limits[] = {
		{ (1 << 20) - 1, 0, ((1 << 20) - 1) * 16 }, { -(1 << 20), 0, -(1 << 24) },
		{ 1 << 20, 1, 1 << 23 }, { -(1 << 20) - 2, 1, -(1 << 23) - 16 },
		{ S64_MAX, 38, (1 << 24) - 1 }, { -S64_MAX, 38, -(1 << 24) },
	};
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		make_plan(test, BUDGET, 100);
		add_ipc(f, 4 * MS, MEGA, 0);
		add_ipc(f, 4 * MS, MEGA, limits[i].by);
		KUNIT_EXPECT_EQ(test, square_of_ipc(f), limits[i].units * limits[i].units);
		KUNIT_EXPECT_EQ(test, f->unit_bits, 2 * (limits[i].shift - N3T_UNIT_BITS));
	}
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
				n3t_covariance_add(&f->covariance, &f->slice);
			}
		}
		KUNIT_EXPECT_EQ(test, *f->guard, GUARD);
		for (set = 0; set < f->plan.nr_sets; set++) {
			for (i = 0; i < f->plan.set[set].nr; i++) {
				unsigned int part = N3T_PART_COUNTS + i;
				s64 square = product_of(f, set, part, part);
				s64 of_one = (s64)(i + 1) * (i + 1) * SQUARED_UNITS;

				/* 19 differences of i + 1, which fade from the eighth on */
				KUNIT_EXPECT_GE(test, square, 8 * of_one);
				KUNIT_EXPECT_LE(test, square, 19 * of_one);
			}
		}
	}
}

static struct kunit_case covariance_cases[] = {
	KUNIT_CASE(squares_of_differences_add_up),
	KUNIT_CASE(dropped_slices_and_other_sets_are_ignored),
	KUNIT_CASE(units_grow_and_shrink),
	KUNIT_CASE(a_unit_changes_at_its_limit),
	KUNIT_CASE(every_part_of_every_set_is_kept),
	{}
};

static struct kunit_suite covariance_suite = {
	.name = "n3_telemetry_covariance",
	.init = covariance_init,
	.test_cases = covariance_cases,
};

kunit_test_suite(covariance_suite);
