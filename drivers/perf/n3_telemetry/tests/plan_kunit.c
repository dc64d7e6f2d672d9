// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: packing of metrics into counter sets, and the order of the sets in time. */
#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "plan_check.h"

#define L1_EVENTS_DERIVED 5	/* counters that Topdown_L1 needs with STALL_SLOT derived */
#define RANDOM_GROUPS	10	/* choices per budget */
#define RANDOM_EVENTS	20	/* likewise */
#define ROTATIONS	60000
#define RANDOM_ANCHORS	40	/* likewise */

static DECLARE_BITMAP(all_groups, N3T_NR_GROUPS);
static DECLARE_BITMAP(specified, N3T_NR_GROUPS);

static int plan_init(struct kunit *test)
{
	bitmap_fill(all_groups, N3T_NR_GROUPS);
	check_specified_groups(specified);
	/* one under test and one for comparison */
	test->priv = kunit_kzalloc(test, 2 * sizeof(struct n3t_plan), GFP_KERNEL);
	return test->priv ? 0 : -ENOMEM;
}

static u32 next_random(u32 *seed)
{
	*seed = *seed * 1103515245u + 12345u;
	return *seed >> 8;
}

static void choose_groups(unsigned long *groups, u32 *seed)
{
	bitmap_zero(groups, N3T_NR_GROUPS);
	groups[0] = next_random(seed) % ((1ul << N3T_NR_GROUPS) - 1) + 1;
}

/* Different events, half of them of the table, some, all or none of which metrics use. */
static void choose_events(u16 *codes, unsigned int nr, u32 *seed)
{
	unsigned int i, chosen = 0;

	while (chosen < nr) {
		codes[chosen] = next_random(seed) % 2 ? next_random(seed) :
				n3t_events[next_random(seed) % N3T_NR_EVENTS].code;
		for (i = 0; codes[i] != codes[chosen]; i++)
			;
		if (i == chosen && codes[chosen] != N3T_CODE_CPU_CYCLES)
			chosen++;
	}
}

static void expect_valid(struct kunit *test, unsigned int budget, const unsigned long *groups)
{
	struct n3t_plan *plan = test->priv;
	const char *fault;

	KUNIT_ASSERT_EQ(test, n3t_plan_make(plan, budget, groups, NULL, NULL), 0);
	KUNIT_EXPECT_EQ(test, plan->budget, budget);
	fault = plan_fault(plan, groups);
	if (fault)
		KUNIT_FAIL(test, "budget=%u groups=%#lx: %s", budget, groups[0], fault);
}

/* Limits set by the project; 12 sets are the minimum at 6 counters. */
static void the_number_of_sets_is_within_its_limits(struct kunit *test)
{
	static const struct {
		unsigned int budget;
		unsigned int sets;
	} bars[] = { { 5, 16 }, { 6, 13 }, { 7, 11 }, { 20, 4 } };
	struct n3t_plan *plan = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bars); i++) {
		KUNIT_ASSERT_EQ(test, n3t_plan_make(plan, bars[i].budget, specified, NULL, NULL),
				0);
		KUNIT_EXPECT_LE_MSG(test, plan->nr_sets, bars[i].sets, "budget=%u",
				    bars[i].budget);
	}
}

/*
 * Groups beyond the specification share sets with the others, or have sets of
 * their own. The greedy choice may need one more.
 */
static void all_groups_need_at_most_one_set_more_than_two_plans(struct kunit *test)
{
	struct n3t_plan *plan = test->priv;
	DECLARE_BITMAP(beyond, N3T_NR_GROUPS);
	unsigned int budget, i, apart;

	for (i = 0; i < N3T_NR_GROUPS; i++)
		if (test_bit(i, specified))
			__clear_bit(i, beyond);
		else
			__set_bit(i, beyond);
	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		KUNIT_ASSERT_EQ(test, n3t_plan_make(plan, budget, specified, NULL, NULL), 0);
		apart = plan->nr_sets;
		KUNIT_ASSERT_EQ(test, n3t_plan_make(plan, budget, beyond, NULL, NULL), 0);
		apart += plan->nr_sets;
		KUNIT_ASSERT_EQ(test, n3t_plan_make(plan, budget, all_groups, NULL, NULL), 0);
		KUNIT_EXPECT_LE_MSG(test, plan->nr_sets, apart + 1, "budget=%u", budget);
	}
}

static void expect_valid_at_every_budget(struct kunit *test, const unsigned long *groups)
{
	unsigned int budget;

	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++)
		expect_valid(test, budget, groups);
}

static void plans_are_valid_at_every_budget(struct kunit *test)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	unsigned int group, i;
	u32 seed = 3;

	expect_valid_at_every_budget(test, specified);
	expect_valid_at_every_budget(test, all_groups);
	for (group = 0; group < N3T_NR_GROUPS; group++) {
		bitmap_zero(groups, N3T_NR_GROUPS);
		__set_bit(group, groups);
		expect_valid_at_every_budget(test, groups);
	}
	for (i = 0; i < RANDOM_GROUPS; i++) {
		choose_groups(groups, &seed);
		expect_valid_at_every_budget(test, groups);
	}
}

static void invalid_budgets_and_no_groups_are_refused(struct kunit *test)
{
	DECLARE_BITMAP(none, N3T_NR_GROUPS) = { 0 };
	struct n3t_plan *plan = test->priv;

	plan->nr_sets = 42;
	KUNIT_EXPECT_EQ(test, n3t_plan_make(plan, 0, all_groups, NULL, NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, n3t_plan_make(plan, N3T_MAX_COUNTERS + 1, all_groups, NULL, NULL),
			-EINVAL);
	KUNIT_EXPECT_EQ(test, n3t_plan_make(plan, ~0u, all_groups, NULL, NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, n3t_plan_make(plan, 6, none, NULL, NULL), -EINVAL);
	KUNIT_EXPECT_EQ_MSG(test, plan->nr_sets, 42u, "a rejected plan was changed");
}

/* Every metric of Miss_Ratio needs two events. */
static void a_plan_has_no_set_if_no_metric_fits(struct kunit *test)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS) = { 0 };
	struct n3t_plan *plan = test->priv;
	struct n3t_rotation rotation;

	__set_bit(N3T_GROUP_Miss_Ratio, groups);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(plan, 1, groups, NULL, NULL), 0);
	KUNIT_EXPECT_EQ(test, plan->nr_sets, 0u);
	KUNIT_EXPECT_EQ(test, n3t_plan_rotation(plan), 0u);
	n3t_rotation_init(&rotation, plan, 1);
	KUNIT_EXPECT_EQ(test, n3t_rotation_next(&rotation, plan), 0u);
}

static void topdown_l1_alone_is_counted_in_every_slice(struct kunit *test)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS) = { 0 };
	struct n3t_plan *plan = test->priv;
	struct n3t_rotation rotation;
	unsigned int i;

	__set_bit(N3T_GROUP_Topdown_L1, groups);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(plan, 6, groups, NULL, NULL), 0);
	KUNIT_EXPECT_EQ(test, plan->nr_sets, 1u);
	KUNIT_EXPECT_EQ(test, n3t_plan_rotation(plan), 1u);
	n3t_rotation_init(&rotation, plan, 1);
	for (i = 0; i < 5; i++)
		KUNIT_EXPECT_EQ(test, n3t_rotation_next(&rotation, plan), 0u);
}

/* One rotation: Topdown_L1, if it is a set, once in each pair, each other set once. */
static void expect_rotation(struct kunit *test, const struct n3t_plan *plan,
			    struct n3t_rotation *rotation)
{
	unsigned int length = n3t_plan_rotation(plan);
	DECLARE_BITMAP(seen, N3T_MAX_SETS) = { 0 };
	unsigned int i, set, before = 0;

	for (i = 0; i < length; i++, before = set) {
		set = n3t_rotation_next(rotation, plan);
		KUNIT_ASSERT_LT(test, set, plan->nr_sets);
		if (plan->l1_set != N3T_NO_SET && plan->nr_sets > 1 && i % 2)
			KUNIT_EXPECT_NE(test, !set, !before);
		if ((int)set != plan->l1_set)
			KUNIT_EXPECT_FALSE(test, test_bit(set, seen));
		__set_bit(set, seen);
	}
	KUNIT_EXPECT_EQ(test, bitmap_weight(seen, N3T_MAX_SETS), plan->nr_sets);
}

static void every_set_has_its_turn_in_each_rotation(struct kunit *test)
{
	struct n3t_plan *plan = test->priv;
	struct n3t_rotation rotation;
	unsigned int budget, i;

	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		KUNIT_ASSERT_EQ(test, n3t_plan_make(plan, budget, all_groups, NULL, NULL), 0);
		KUNIT_EXPECT_EQ(test, n3t_plan_rotation(plan),
				budget >= L1_EVENTS_DERIVED ? 2 * (plan->nr_sets - 1)
							    : plan->nr_sets);
		n3t_rotation_init(&rotation, plan, budget);
		for (i = 0; i < 20; i++)
			expect_rotation(test, plan, &rotation);
	}
}

struct places {
	u32 of_set[N3T_MAX_SETS][N3T_MAX_SETS];
	u32 after_place[N3T_MAX_SETS][N3T_MAX_SETS];
	u8 order[N3T_MAX_SETS];
	unsigned int first_set_at;	/* of the previous rotation */
	unsigned int repeats;
};

static void count_places(struct places *places, struct n3t_rotation *rotation,
			 const struct n3t_plan *plan)
{
	unsigned int nr = n3t_plan_rotation(plan) / 2, place, set, same = 0, first_set_at = 0;

	for (place = 0; place < nr; place++) {
		/* one of the two is 0 */
		set = n3t_rotation_next(rotation, plan);
		set += n3t_rotation_next(rotation, plan);
		places->of_set[set - 1][place]++;
		if (set == 1)
			first_set_at = place;
		same += places->order[place] == set;
		places->order[place] = set;
	}
	places->after_place[places->first_set_at][first_set_at]++;
	places->first_set_at = first_set_at;
	places->repeats += same == nr;
}

static void expect_even(struct kunit *test, u32 times[N3T_MAX_SETS][N3T_MAX_SETS], unsigned int nr,
			int mean, int most_off)
{
	unsigned int i, k;

	for (i = 0; i < nr; i++)
		for (k = 0; k < nr; k++)
			KUNIT_EXPECT_LE_MSG(test, abs((int)times[i][k] - mean), most_off,
					    "%u and %u: %u times", i, k, times[i][k]);
}

/*
 * Each of the other 12 sets is at each of the 12 places in one rotation of 12: 5000 times in
 * 60000, standard deviation 68. A set's place after each place in the previous rotation: 417
 * times, standard deviation 20. Five of these are allowed.
 */
static void every_set_is_equally_often_at_every_place(struct kunit *test)
{
	struct places *places = kunit_kzalloc(test, sizeof(*places), GFP_KERNEL);
	struct n3t_plan *plan = test->priv;
	struct n3t_rotation rotation;
	unsigned int nr, i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, places);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(plan, 6, specified, NULL, NULL), 0);
	nr = plan->nr_sets - 1;
	n3t_rotation_init(&rotation, plan, 12345);
	for (i = 0; i < ROTATIONS; i++)
		count_places(places, &rotation, plan);
	KUNIT_EXPECT_EQ_MSG(test, places->repeats, 0u, "two rotations had the same order");
	expect_even(test, places->of_set, nr, ROTATIONS / nr, 340);
	expect_even(test, places->after_place, nr, ROTATIONS / nr / nr, 100);
}

/* Topdown_L1 comes first in half of the pairs: 30,000 of 60,000, standard deviation 122. */
static void topdown_l1_is_first_in_half_of_the_pairs(struct kunit *test)
{
	unsigned int pair, first, last = 0, firsts = 0, changes = 0;
	struct n3t_plan *plan = test->priv;
	struct n3t_rotation rotation;

	KUNIT_ASSERT_EQ(test, n3t_plan_make(plan, 6, specified, NULL, NULL), 0);
	n3t_rotation_init(&rotation, plan, 321);
	for (pair = 0; pair < 60000; pair++) {
		first = !n3t_rotation_next(&rotation, plan);
		n3t_rotation_next(&rotation, plan);
		firsts += first;
		changes += first != last;
		last = first;
	}
	KUNIT_EXPECT_GT(test, firsts, 30000u - 600);
	KUNIT_EXPECT_LT(test, firsts, 30000u + 600);
	KUNIT_EXPECT_GT(test, changes, 30000u - 600);
	KUNIT_EXPECT_LT(test, changes, 30000u + 600);
}

static void different_seeds_give_different_orders(struct kunit *test)
{
	static const u32 seeds[] = { 0, 1, 2, 3, U32_MAX - 1 };
	struct n3t_plan *plan = test->priv;
	struct n3t_rotation a, b;
	unsigned int i, j, step;

	KUNIT_ASSERT_EQ(test, n3t_plan_make(plan, 6, specified, NULL, NULL), 0);
	for (i = 0; i < ARRAY_SIZE(seeds); i++)
		for (j = 0; j < i; j++) {
			unsigned int same = 0;

			n3t_rotation_init(&a, plan, seeds[i]);
			n3t_rotation_init(&b, plan, seeds[j]);
			for (step = 0; step < 120; step++)
				same += n3t_rotation_next(&a, plan) == n3t_rotation_next(&b, plan);
			/* Half of 60 pairs in the same order, then one in 12 is the same pair. */
			KUNIT_EXPECT_LT_MSG(test, same, 33u + 20u, "seeds %u and %u", seeds[i],
					    seeds[j]);
		}
}

/* Add the first @nr of @codes to a plan; no other change is expected. */
static void expect_added(struct kunit *test, const struct n3t_plan *before,
			 const unsigned long *groups, const u16 *codes, unsigned int nr)
{
	struct n3t_plan *plan = test->priv;
	const char *fault;

	*plan = *before;
	n3t_plan_add_custom(plan, codes, nr);
	fault = custom_fault(plan, before, codes, nr) ?: plan_fault(plan, groups);
	if (fault)
		KUNIT_FAIL(test, "budget=%u events=%u: %s", plan->budget, nr, fault);
}

static struct n3t_plan *make_plan(struct kunit *test, unsigned int budget,
				  const unsigned long *groups)
{
	struct n3t_plan *plan = (struct n3t_plan *)test->priv + 1;

	KUNIT_ASSERT_EQ(test, n3t_plan_make(plan, budget, groups, NULL, NULL), 0);
	KUNIT_EXPECT_EQ(test, plan->custom_set, N3T_NO_SET);
	return plan;
}

static void custom_events_get_a_valid_set_at_every_budget(struct kunit *test)
{
	static const u16 retired[] = { N3T_CODE_BUS_ACCESS, N3T_CODE_INST_RETIRED };
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	u16 codes[N3T_MAX_COUNTERS + 1];
	unsigned int budget, i, nr;
	u32 seed = 4;

	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		for (i = 0; i < RANDOM_EVENTS; i++) {
			nr = next_random(&seed) % (budget + 2);
			choose_groups(groups, &seed);
			choose_events(codes, nr, &seed);
			expect_added(test, make_plan(test, budget, groups), groups, codes, nr);
		}
		expect_added(test, make_plan(test, budget, specified), specified, retired, 2);
	}
}

static void the_custom_set_has_its_turn_in_each_rotation(struct kunit *test)
{
	static const u16 codes[] = { N3T_CODE_BUS_ACCESS, N3T_CODE_MEM_ACCESS };
	struct n3t_plan *plan = test->priv;
	struct n3t_rotation rotation;
	unsigned int budget, i;

	for (budget = 2; budget <= N3T_MAX_COUNTERS; budget++) {
		expect_added(test, make_plan(test, budget, all_groups), all_groups, codes,
			     ARRAY_SIZE(codes));
		n3t_rotation_init(&rotation, plan, budget);
		for (i = 0; i < 20; i++)
			expect_rotation(test, plan, &rotation);
	}
}

/* With Topdown_L1: once in each pair. Alone: always. */
static void the_custom_set_may_be_alone_or_with_topdown_l1(struct kunit *test)
{
	static const u16 codes[] = { N3T_CODE_BUS_ACCESS };
	DECLARE_BITMAP(groups, N3T_NR_GROUPS) = { 0 };
	struct n3t_plan *plan = test->priv;
	struct n3t_rotation rotation;
	unsigned int i;

	__set_bit(N3T_GROUP_Topdown_L1, groups);
	expect_added(test, make_plan(test, 6, groups), groups, codes, 1);
	KUNIT_EXPECT_EQ(test, n3t_plan_rotation(plan), 2u);
	n3t_rotation_init(&rotation, plan, 1);
	for (i = 0; i < 6; i += 2)
		KUNIT_EXPECT_EQ(test, n3t_rotation_next(&rotation, plan) +
				n3t_rotation_next(&rotation, plan), 1u);

	bitmap_zero(groups, N3T_NR_GROUPS);
	__set_bit(N3T_GROUP_Miss_Ratio, groups);
	expect_added(test, make_plan(test, 1, groups), groups, codes, 1);
	KUNIT_EXPECT_EQ(test, plan->nr_sets, 1u);
	KUNIT_EXPECT_EQ(test, plan->set[0].nr, 1u);
	KUNIT_EXPECT_EQ(test, n3t_plan_rotation(plan), 1u);
	n3t_rotation_init(&rotation, plan, 1);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_EQ(test, n3t_rotation_next(&rotation, plan), 0u);
}

static const struct n3t_anchors automatic = { .automatic = true };
static const struct n3t_anchors backend = {
	.nr = 1, .code = { N3T_CODE_STALL_SLOT_BACKEND },
};

static const struct n3t_anchors backend_and_retired = {
	.nr = 2, .code = { N3T_CODE_STALL_SLOT_BACKEND, N3T_CODE_INST_RETIRED },
};

/* Make a plan with anchors; the invariants of all plans hold for it, too. */
static struct n3t_plan *make_anchored(struct kunit *test, unsigned int budget,
				      const unsigned long *groups,
				      const struct n3t_anchors *anchors)
{
	struct n3t_plan *plan = test->priv, *plain = plan + 1;
	const char *fault;

	KUNIT_ASSERT_EQ(test, n3t_plan_make(plain, budget, groups, NULL, NULL), 0);
	memset(plan, 0xa5, sizeof(*plan));
	KUNIT_ASSERT_EQ(test, n3t_plan_make(plan, budget, groups, anchors, NULL), 0);
	fault = plan_fault(plan, groups) ?: anchors_fault(plan, plain);
	if (fault)
		KUNIT_FAIL(test, "budget=%u groups=%#lx anchors=%u %#x %#x %#x %#x: %s", budget,
			   groups[0], anchors->nr, anchors->code[0], anchors->code[1],
			   anchors->code[2], anchors->code[3], fault);
	return plan;
}

static void expect_anchored(struct kunit *test, const struct n3t_plan *plan,
			    const struct n3t_anchors *anchors, unsigned int sets)
{
	unsigned int i;

	KUNIT_EXPECT_EQ(test, plan->nr_sets, sets);
	KUNIT_ASSERT_EQ(test, plan->nr_anchors, anchors->nr);
	for (i = 0; i < anchors->nr; i++)
		KUNIT_EXPECT_EQ(test, plan->anchor[i], anchors->code[i]);
}

/* Sets for the specification's groups at 6 counters: 13 without anchors. */
static void anchors_cost_the_expected_number_of_sets(struct kunit *test)
{
	struct n3t_plan *plan;

	plan = make_anchored(test, 6, specified, &automatic);
	expect_anchored(test, plan, &backend, 16);
	KUNIT_EXPECT_EQ(test, check_unanchored(plan), 0u);

	/* Topdown_L1 has no room for a second anchor */
	plan = make_anchored(test, 6, specified, &backend_and_retired);
	expect_anchored(test, plan, &backend_and_retired, 20);
	KUNIT_EXPECT_EQ(test, check_unanchored(plan), 1u);
	KUNIT_EXPECT_EQ(test, plan->set[0].anchor[1], N3T_NO_ANCHOR);
	KUNIT_EXPECT_NE(test, plan->set[0].anchor[0], N3T_NO_ANCHOR);
}

/* barrier_percentage has four events: with an anchor it needs five counters. */
static void few_counters_have_no_automatic_anchor(struct kunit *test)
{
	const struct n3t_plan *plan;
	unsigned int budget;

	for (budget = 1; budget <= 4; budget++) {
		plan = make_anchored(test, budget, specified, &automatic);
		KUNIT_EXPECT_EQ_MSG(test, memcmp(plan, plan + 1, sizeof(*plan)), 0, "budget=%u",
				    budget);
	}
	for (budget = 6; budget <= N3T_MAX_COUNTERS; budget++) {
		plan = make_anchored(test, budget, specified, &automatic);
		KUNIT_EXPECT_EQ_MSG(test, plan->nr_anchors, 1u, "budget=%u", budget);
	}
}

/*
 * A single set needs no anchor. Otherwise the automatic anchor is present if and only if
 * every set has room for it.
 */
static void expect_automatic(struct kunit *test, unsigned int budget, const unsigned long *groups)
{
	const struct n3t_plan *plan = make_anchored(test, budget, groups, &automatic);
	bool anchored = plan->nr_anchors, possible;

	KUNIT_EXPECT_EQ(test, check_unanchored(plan), 0u);
	if (anchored)
		expect_anchored(test, plan, &backend, plan->nr_sets);
	if (anchored)
		KUNIT_EXPECT_GT(test, plan->nr_sets, 1u);

	plan = make_anchored(test, budget, groups, &backend);
	KUNIT_EXPECT_EQ(test, plan->nr_anchors, 1u);
	possible = plan->nr_sets > 1 && !check_unanchored(plan);
	KUNIT_EXPECT_EQ_MSG(test, anchored, possible, "budget=%u groups=%#lx", budget, groups[0]);
}

static void automatic_anchors_are_all_or_nothing(struct kunit *test)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	unsigned int budget, i;
	u32 seed = 5;

	for (i = 0; i < N3T_NR_GROUPS; i++) {
		bitmap_zero(groups, N3T_NR_GROUPS);
		__set_bit(i, groups);
		expect_automatic(test, 6, groups);
	}
	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		expect_automatic(test, budget, specified);
		expect_automatic(test, budget, all_groups);
		for (i = 0; i < RANDOM_GROUPS; i++) {
			choose_groups(groups, &seed);
			expect_automatic(test, budget, groups);
		}
	}
}

static void choose_anchors(struct n3t_anchors *anchors, unsigned int nr, u32 *seed)
{
	memset(anchors, 0, sizeof(*anchors));
	anchors->nr = nr;
	choose_events(anchors->code, nr, seed);
}

static void no_anchor_costs_a_metric_its_place(struct kunit *test)
{
	struct n3t_anchors anchors;
	unsigned int budget, i;
	u32 seed = 1;

	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		for (i = 0; i < RANDOM_ANCHORS; i++) {
			choose_anchors(&anchors, 1 + i % N3T_MAX_ANCHORS, &seed);
			make_anchored(test, budget, i % 2 ? specified : all_groups, &anchors);
		}
	}
}

static void expect_equal_plans(struct kunit *test, unsigned int budget,
			       const struct n3t_anchors *anchors)
{
	struct n3t_plan *plan = test->priv, *again = plan + 1;

	memset(plan, 0, sizeof(*plan));
	memset(again, 0xa5, sizeof(*again));
	KUNIT_ASSERT_EQ(test, n3t_plan_make(plan, budget, all_groups, anchors, NULL), 0);
	KUNIT_ASSERT_EQ(test, n3t_plan_make(again, budget, all_groups, anchors, NULL), 0);
	KUNIT_EXPECT_EQ_MSG(test, memcmp(plan, again, sizeof(*plan)), 0, "budget=%u", budget);
}

static void equal_arguments_give_equal_plans(struct kunit *test)
{
	struct n3t_anchors anchors;
	unsigned int budget;
	u32 seed = 2;

	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		choose_anchors(&anchors, 1 + budget % N3T_MAX_ANCHORS, &seed);
		expect_equal_plans(test, budget, &anchors);
		expect_equal_plans(test, budget, &automatic);
		expect_equal_plans(test, budget, NULL);
	}
}

/* Even if an anchor is among the user's events. */
static void the_custom_set_has_no_anchor(struct kunit *test)
{
	static const u16 codes[] = { N3T_CODE_STALL_SLOT_BACKEND, N3T_CODE_BUS_ACCESS };
	struct n3t_plan *plan, *before;
	const char *fault;
	unsigned int budget;

	for (budget = 2; budget <= N3T_MAX_COUNTERS; budget++) {
		plan = make_anchored(test, budget, specified, &backend_and_retired);
		before = plan + 1;
		*before = *plan;
		n3t_plan_add_custom(plan, codes, ARRAY_SIZE(codes));
		fault = custom_fault(plan, before, codes, ARRAY_SIZE(codes)) ?:
			plan_fault(plan, specified) ?: check_anchors(plan, plan->custom_set);
		if (fault)
			KUNIT_FAIL(test, "budget=%u: %s", budget, fault);
	}
}

/* Make a plan without some events; the invariants of all plans hold for it, too. */
static struct n3t_plan *make_distrusting(struct kunit *test, unsigned int budget,
					 const struct n3t_anchors *anchors,
					 const unsigned long *distrust)
{
	struct n3t_plan *plan = test->priv;
	const char *fault;

	memset(plan, 0xa5, sizeof(*plan));
	KUNIT_ASSERT_EQ(test, n3t_plan_make(plan, budget, all_groups, anchors, distrust), 0);
	KUNIT_EXPECT_EQ(test, memcmp(plan->distrust, distrust, sizeof(plan->distrust)), 0);
	fault = plan_fault(plan, all_groups);
	if (fault)
		KUNIT_FAIL(test, "budget=%u first=%u: %s", budget,
			   (unsigned int)find_next_bit(distrust, N3T_NR_EVENTS, 0), fault);
	return plan;
}

static void plans_without_any_one_event_are_valid(struct kunit *test)
{
	DECLARE_BITMAP(distrust, N3T_NR_EVENTS);
	unsigned int event, budget;

	for (event = 0; event < N3T_NR_EVENTS; event++) {
		bitmap_zero(distrust, N3T_NR_EVENTS);
		__set_bit(event, distrust);
		for (budget = 3; budget <= 6; budget++)
			make_distrusting(test, budget, budget % 2 ? &automatic : NULL, distrust);
	}
}

/* Few or many of the events that metrics use. */
static void plans_without_several_events_are_valid(struct kunit *test)
{
	DECLARE_BITMAP(distrust, N3T_NR_EVENTS);
	const struct n3t_formula *formula;
	unsigned int budget, i, k, nr;
	u32 seed = 6;

	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		for (i = 0; i < RANDOM_EVENTS; i++) {
			bitmap_zero(distrust, N3T_NR_EVENTS);
			nr = next_random(&seed) % (i % 2 ? 6 : 2 * N3T_NR_METRICS);
			for (k = 0; k < nr; k++) {
				formula = n3t_metric_formula(next_random(&seed) % N3T_NR_METRICS);
				__set_bit(n3t_event_by_code(formula->code[next_random(&seed) %
									  formula->nr_events]),
					  distrust);
			}
			make_distrusting(test, budget, &automatic, distrust);
		}
	}
}

static void a_plan_without_all_events_has_no_set(struct kunit *test)
{
	DECLARE_BITMAP(distrust, N3T_NR_EVENTS);
	static const u16 codes[] = { N3T_CODE_BUS_ACCESS, 0xc0de };
	struct n3t_plan *plan;
	unsigned int budget;

	bitmap_fill(distrust, N3T_NR_EVENTS);
	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		plan = make_distrusting(test, budget, &backend_and_retired, distrust);
		KUNIT_EXPECT_EQ(test, plan->nr_sets, 0u);
		KUNIT_EXPECT_EQ(test, plan->nr_anchors, 0u);
		KUNIT_EXPECT_EQ(test, n3t_plan_rotation(plan), 0u);
		KUNIT_EXPECT_TRUE(test, n3t_plan_is_unsupported(plan));
		/* user events that are not in the table are still counted */
		n3t_plan_add_custom(plan, codes, 1);
		KUNIT_EXPECT_TRUE(test, n3t_plan_is_unsupported(plan));
		KUNIT_EXPECT_EQ(test, plan->custom_set, N3T_NO_SET);
		make_distrusting(test, budget, NULL, distrust);
		n3t_plan_add_custom(plan, codes, 2);
		KUNIT_EXPECT_FALSE(test, n3t_plan_is_unsupported(plan));
		KUNIT_EXPECT_EQ(test, plan->custom_set, 0);
		KUNIT_EXPECT_EQ(test, plan->set[0].nr, 1u);
		KUNIT_EXPECT_EQ(test, plan->set[0].code[0], 0xc0de);
	}
}

static void distrusted_anchors_are_dropped(struct kunit *test)
{
	DECLARE_BITMAP(distrust, N3T_NR_EVENTS) = { 0 };
	const struct n3t_plan *plan;

	__set_bit(N3T_EVENT_STALL_SLOT_BACKEND, distrust);
	plan = make_distrusting(test, 6, &automatic, distrust);
	KUNIT_EXPECT_EQ(test, plan->nr_anchors, 0u);
	plan = make_distrusting(test, 6, &backend_and_retired, distrust);
	KUNIT_ASSERT_EQ(test, plan->nr_anchors, 1u);
	KUNIT_EXPECT_EQ(test, plan->anchor[0], N3T_CODE_INST_RETIRED);
	bitmap_zero(distrust, N3T_NR_EVENTS);
	__set_bit(N3T_EVENT_INST_RETIRED, distrust);
	plan = make_distrusting(test, 6, &automatic, distrust);
	KUNIT_EXPECT_EQ(test, plan->nr_anchors, 1u);
}

static void no_distrust_changes_nothing(struct kunit *test)
{
	DECLARE_BITMAP(distrust, N3T_NR_EVENTS) = { 0 };
	struct n3t_plan *plan = test->priv, *plain = plan + 1;
	unsigned int budget;

	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		make_distrusting(test, budget, &automatic, distrust);
		KUNIT_ASSERT_EQ(test, n3t_plan_make(plain, budget, all_groups, &automatic, NULL),
				0);
		KUNIT_EXPECT_EQ(test, memcmp(plan, plain, sizeof(*plan)), 0);
		KUNIT_EXPECT_FALSE(test, n3t_plan_is_unsupported(plan));
	}
}

static void distrusted_custom_events_are_left_out(struct kunit *test)
{
	static const u16 codes[] = { N3T_CODE_BUS_ACCESS, N3T_CODE_MEM_ACCESS, 0xc0de };
	DECLARE_BITMAP(distrust, N3T_NR_EVENTS) = { 0 };
	struct n3t_plan *plan = test->priv, *before = plan + 1;
	const char *fault;
	unsigned int budget, nr;

	__set_bit(N3T_EVENT_MEM_ACCESS, distrust);
	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		for (nr = 0; nr <= ARRAY_SIZE(codes); nr++) {
			if (budget % 2)
				__set_bit(N3T_EVENT_INST_RETIRED, distrust);
			else
				__clear_bit(N3T_EVENT_INST_RETIRED, distrust);
			make_distrusting(test, budget, NULL, distrust);
			*before = *plan;
			n3t_plan_add_custom(plan, codes, nr);
			fault = custom_fault(plan, before, codes, nr) ?:
				plan_fault(plan, all_groups);
			if (fault)
				KUNIT_FAIL(test, "budget=%u events=%u: %s", budget, nr, fault);
		}
	}
}

static struct kunit_case plan_cases[] = {
	KUNIT_CASE(the_number_of_sets_is_within_its_limits),
	KUNIT_CASE(all_groups_need_at_most_one_set_more_than_two_plans),
	KUNIT_CASE(plans_are_valid_at_every_budget),
	KUNIT_CASE(invalid_budgets_and_no_groups_are_refused),
	KUNIT_CASE(a_plan_has_no_set_if_no_metric_fits),
	KUNIT_CASE(topdown_l1_alone_is_counted_in_every_slice),
	KUNIT_CASE(every_set_has_its_turn_in_each_rotation),
	KUNIT_CASE(every_set_is_equally_often_at_every_place),
	KUNIT_CASE(topdown_l1_is_first_in_half_of_the_pairs),
	KUNIT_CASE(different_seeds_give_different_orders),
	KUNIT_CASE(custom_events_get_a_valid_set_at_every_budget),
	KUNIT_CASE(the_custom_set_has_its_turn_in_each_rotation),
	KUNIT_CASE(the_custom_set_may_be_alone_or_with_topdown_l1),
	KUNIT_CASE(anchors_cost_the_expected_number_of_sets),
	KUNIT_CASE(few_counters_have_no_automatic_anchor),
	KUNIT_CASE(automatic_anchors_are_all_or_nothing),
	KUNIT_CASE(no_anchor_costs_a_metric_its_place),
	KUNIT_CASE(equal_arguments_give_equal_plans),
	KUNIT_CASE(the_custom_set_has_no_anchor),
	KUNIT_CASE(plans_without_any_one_event_are_valid),
	KUNIT_CASE(plans_without_several_events_are_valid),
	KUNIT_CASE(a_plan_without_all_events_has_no_set),
	KUNIT_CASE(distrusted_anchors_are_dropped),
	KUNIT_CASE(no_distrust_changes_nothing),
	KUNIT_CASE(distrusted_custom_events_are_left_out),
	{ }
};

static struct kunit_suite plan_suite = {
	.name = "n3_telemetry_plan",
	.init = plan_init,
	.test_cases = plan_cases,
};

kunit_test_suite(plan_suite);
