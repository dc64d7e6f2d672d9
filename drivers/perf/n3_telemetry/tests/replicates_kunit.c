// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: replicates, from slices with known counts. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/plan.h"
#include "libn3t/random.h"
#include "libn3t/replicates.h"
#include "libn3t/spec.h"
#include "libn3t/totals.h"

#define MS		1000000ull
#define SLICES		100	/* in a window */
#define LATE		(0ull - (1ull << 40))	/* 2^64 - 2^40 */
#define ORDERS		56	/* of the maps a * i + b */
#define DRAWS		1000	/* of each order, on average */

struct fixture {
	struct n3t_plan plan;
	struct n3t_ring ring;
	struct n3t_rotation rotation;
	struct n3t_replicates *replicates;
	struct n3t_replicate_totals totals;
	struct n3t_totals all;
	u32 order[ORDERS];
	unsigned int draws[ORDERS];
	u8 pairs[N3T_NR_REPLICATES][N3T_NR_REPLICATES][N3T_NR_REPLICATES][N3T_NR_REPLICATES];
	u64 nr;		/* of slices written */
};

static int replicates_init(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct fixture), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static void begin_run(struct kunit *test)
{
	struct fixture *f = test->priv;
	void *memory = kunit_kzalloc(test, n3t_ring_bytes(&f->plan, SLICES), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, memory);
	n3t_ring_init(&f->ring, memory, &f->plan, SLICES);
	n3t_rotation_init(&f->rotation, &f->plan, 1);
	f->replicates = kunit_kzalloc(test, n3t_replicates_bytes(&f->plan), GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, f->replicates);
	n3t_replicates_init(f->replicates, &f->plan, 1);
}

static struct fixture *set_up(struct kunit *test, unsigned int budget,
			      const struct n3t_anchors *anchors)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	struct fixture *f = test->priv;

	bitmap_fill(groups, N3T_NR_GROUPS);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(&f->plan, budget, groups, anchors, NULL), 0);
	KUNIT_ASSERT_EQ(test, f->plan.l1_set, 0);
	begin_run(test);
	return f;
}

/* A slice whose counts differ from those of all others. */
static void write_slice(struct fixture *f, unsigned int set, enum n3t_slice_state state)
{
	struct n3t_slice *slice = n3t_ring_begin(&f->ring);
	unsigned int i;

	f->nr++;
	slice->end_ns = f->nr * MS;
	slice->time_ns = MS;
	slice->set = set;
	slice->state = state;
	slice->cycles = 100000 + f->nr;
	for (i = 0; i < f->plan.set[set].nr; i++)
		slice->count[i] = (i + 1) * 1000 + f->nr * f->nr;
	n3t_replicates_add(f->replicates, slice);
	n3t_ring_commit(&f->ring);
}

static void write_rotations(struct fixture *f, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr * n3t_plan_rotation(&f->plan); i++)
		write_slice(f, n3t_rotation_next(&f->rotation, &f->plan),
			    i % 5 ? N3T_SLICE_KEPT : N3T_SLICE_CUT);
}

static unsigned int replicate_in(u32 order, unsigned int slice)
{
	return order >> slice * N3T_ORDER_BITS & N3T_ORDER_MASK;
}

static void take_order(struct kunit *test, u32 order, unsigned int *nr)
{
	struct fixture *f = test->priv;
	unsigned int i;

	KUNIT_EXPECT_EQ(test, order & 0x88888888, 0x88888888);
	for (i = 0; i < *nr && f->order[i] != order; i++)
		;
	KUNIT_ASSERT_LT(test, i, (unsigned int)ORDERS);
	f->order[i] = order;
	f->draws[i]++;
	if (i == *nr)
		++*nr;
}

/*
 * All of 56 orders are drawn, each as frequently as the others, and among them any two slices get
 * any two replicates once: 56 = 8 * 7.
 */
static void every_pair_of_slices_gets_every_pair(struct kunit *test)
{
	struct fixture *f = test->priv;
	u32 random = n3t_random_state(1);
	unsigned int i, a, b, nr = 0;
	u8 *times;

	for (i = 0; i < ORDERS * DRAWS; i++)
		take_order(test, n3t_replicates_order(&random), &nr);
	KUNIT_ASSERT_EQ(test, nr, (unsigned int)ORDERS);
	for (i = 0; i < ORDERS; i++) {
		/* six standard deviations */
		KUNIT_EXPECT_GT(test, f->draws[i], (unsigned int)(DRAWS - 190));
		KUNIT_EXPECT_LT(test, f->draws[i], (unsigned int)(DRAWS + 190));
		for (a = 0; a < N3T_NR_REPLICATES; a++)
			for (b = 0; b < N3T_NR_REPLICATES; b++)
				f->pairs[a][b][replicate_in(f->order[i], a)]
					[replicate_in(f->order[i], b)]++;
	}
	times = &f->pairs[0][0][0][0];
	for (i = 0; i < sizeof(f->pairs); i++) {
		bool same_slice = i / 512 == i / 64 % 8, same = i / 8 % 8 == i % 8;
		unsigned int expected = same_slice == same ? same ? 7 : 1 : 0;

		KUNIT_EXPECT_EQ(test, times[i], expected);
	}
}

/* A dropped slice, and one of another set, takes no turn. */
static void each_eight_slices_reach_all_replicates(struct kunit *test)
{
	struct fixture *f = set_up(test, 6, NULL);
	unsigned int i, k;

	for (i = 1; i <= 20; i++) {
		for (k = 0; k < N3T_NR_REPLICATES; k++) {
			write_slice(f, 0, N3T_SLICE_KEPT);
			write_slice(f, 1, N3T_SLICE_KEPT);
			write_slice(f, 0, k % N3T_NR_SLICE_STATES ?: N3T_SLICE_DISTURBED);
		}
		memset(&f->totals, 0, sizeof(f->totals));
		n3t_replicates_total(&f->totals, f->replicates);
		for (k = 0; k < N3T_NR_REPLICATES; k++)
			KUNIT_EXPECT_EQ(test, f->totals.slices[k], (u64)i);
	}
}

/* The sums of all replicates are the totals, whatever the plan. */
static void expect_all(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int i, k;
	u64 sum;

	for (i = 0; i < N3T_NR_SLOTS; i++) {
		KUNIT_EXPECT_TRUE(test, f->totals.has_slots & 1u << i);
		sum = 0;
		for (k = 0; k < N3T_NR_REPLICATES; k++) {
			KUNIT_EXPECT_NE(test, f->totals.slots[k][i], 0ull);
			sum += f->totals.slots[k][i];
		}
		KUNIT_EXPECT_EQ(test, sum, f->all.slots[i]);
	}
}

static void replicates_add_up_to_totals(struct kunit *test)
{
	static const struct n3t_anchors automatic = { .automatic = true };
	static const struct n3t_anchors others = {
		.nr = 2, .code = { N3T_CODE_INST_RETIRED, N3T_CODE_STALL_SLOT_BACKEND },
	};
	static const unsigned int budgets[] = { 5, 6, 8, 20, N3T_MAX_COUNTERS };
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(budgets); i++) {
		set_up(test, budgets[i], i % 2 ? &automatic : NULL);
		write_rotations(f, 5);
		n3t_totals_add(&f->all, &f->plan, &f->ring);
		n3t_replicates_total(&f->totals, f->replicates);
		expect_all(test);
	}
	set_up(test, 8, &others);
	write_rotations(f, 5);
	n3t_totals_add(&f->all, &f->plan, &f->ring);
	n3t_replicates_total(&f->totals, f->replicates);
	expect_all(test);
}

/* The sums of a run are those of a few of many counters. */
static void replicates_are_small(struct kunit *test)
{
	struct fixture *f = set_up(test, 20, NULL);

	KUNIT_EXPECT_EQ(test, n3t_slots_counts(&f->plan), 6u);
	KUNIT_EXPECT_LE(test, n3t_replicates_bytes(&f->plan), (size_t)600);
}

static void a_split_topdown_l1_has_none(struct kunit *test)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	struct fixture *f = test->priv;

	bitmap_fill(groups, N3T_NR_GROUPS);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(&f->plan, 4, groups, NULL, NULL), 0);
	KUNIT_EXPECT_EQ(test, n3t_replicates_bytes(&f->plan), (size_t)0);
	n3t_replicates_total(&f->totals, NULL);
	KUNIT_EXPECT_EQ(test, f->totals.has_slots, 0u);
}

/* Differences stay exact across 2^64. */
static void large_replicates_are_exact(struct kunit *test)
{
	struct fixture *f = set_up(test, 6, NULL);
	unsigned int i, k;

	write_rotations(f, 3);
	n3t_replicates_total(&f->totals, f->replicates);
	for (k = 0; k < N3T_NR_REPLICATES; k++)
		for (i = 0; i < N3T_NR_SLOTS; i++)
			f->all.slots[i] += f->totals.slots[k][i];

	for (k = 0; k < N3T_NR_REPLICATES; k++)
		for (i = 0; i < N3T_NR_SLOTS; i++)
			f->totals.slots[k][i] = LATE;
	n3t_replicates_total(&f->totals, f->replicates);
	for (i = 0; i < N3T_NR_SLOTS; i++) {
		u64 sum = 0;

		for (k = 0; k < N3T_NR_REPLICATES; k++)
			sum += f->totals.slots[k][i] - LATE;
		KUNIT_EXPECT_EQ(test, sum, f->all.slots[i]);
	}
}

static struct kunit_case replicates_cases[] = {
	KUNIT_CASE(every_pair_of_slices_gets_every_pair),
	KUNIT_CASE(each_eight_slices_reach_all_replicates),
	KUNIT_CASE(replicates_add_up_to_totals),
	KUNIT_CASE(replicates_are_small),
	KUNIT_CASE(a_split_topdown_l1_has_none),
	KUNIT_CASE(large_replicates_are_exact),
	{}
};

static struct kunit_suite replicates_suite = {
	.name = "n3_telemetry_replicates",
	.init = replicates_init,
	.test_cases = replicates_cases,
};

kunit_test_suite(replicates_suite);
