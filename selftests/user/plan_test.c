// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Plans for many choices of groups at every budget, and long runs of the shuffle. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "tests/plan_check.h"

#define SUBSETS		300
#define SEEDS		50
#define ROTATIONS	60000
#define CUSTOM_SETS	5000

static DECLARE_BITMAP(all_groups, N3T_NR_GROUPS);
static DECLARE_BITMAP(specified, N3T_NR_GROUPS);
static struct n3t_plan plan, before;

/* First invariant of plans violated for @groups at some budget, or NULL. */
static const char *fault_at_any_budget(const unsigned long *groups)
{
	const char *fault = NULL;
	unsigned int budget;

	for (budget = 1; budget <= N3T_MAX_COUNTERS && !fault; budget++) {
		memset(&plan, 0xa5, sizeof(plan));
		if (n3t_plan_make(&plan, budget, groups, NULL, NULL))
			return "no plan";
		fault = plan_fault(&plan, groups);
	}
	return fault;
}

static void test_soundness(void)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	const char *fault = NULL;
	unsigned int i;

	fault = fault_at_any_budget(all_groups);
	tap_ok(!fault, "plans of all groups are sound at every budget (fault: %s)",
	       fault ?: "none");
	fault = fault_at_any_budget(specified);
	tap_ok(!fault, "plans of the specification's groups are sound at every budget (fault: %s)",
	       fault ?: "none");

	for (i = 0, fault = NULL; i < N3T_NR_GROUPS && !fault; i++) {
		bitmap_zero(groups, N3T_NR_GROUPS);
		__set_bit(i, groups);
		fault = fault_at_any_budget(groups);
	}
	tap_ok(!fault, "plans of each single group are sound at every budget (fault: %s)",
	       fault ?: "none");

	srand(1);
	for (i = 0, fault = NULL; i < SUBSETS && !fault; i++) {
		groups[0] = (rand() & ((1UL << N3T_NR_GROUPS) - 1)) ?: 1;
		fault = fault_at_any_budget(groups);
	}
	tap_ok(!fault, "plans of %u random choices of groups are sound at every budget (fault: %s)",
	       SUBSETS, fault ?: "none");
}

/* Random event numbers, half of them from the tables, each once, never CPU_CYCLES. */
static unsigned int random_events(u16 *codes, unsigned int nr)
{
	unsigned int i = 0, k;

	while (i < nr) {
		codes[i] = rand() % 2 ? n3t_events[rand() % N3T_NR_EVENTS].code : rand();
		for (k = 0; codes[k] != codes[i]; k++)
			;
		if (k == i && codes[i] != N3T_CODE_CPU_CYCLES)
			i++;
	}
	return nr;
}

static void test_custom_sets(void)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	u16 codes[N3T_MAX_COUNTERS + 1];
	const char *fault = NULL;
	unsigned int i, nr;

	for (i = 0; i < CUSTOM_SETS && !fault; i++) {
		groups[0] = (rand() & ((1UL << N3T_NR_GROUPS) - 1)) ?: 1;
		n3t_plan_make(&plan, 1 + rand() % N3T_MAX_COUNTERS, groups, NULL, NULL);
		before = plan;
		nr = random_events(codes, rand() % (plan.budget + 2));
		n3t_plan_add_custom(&plan, codes, nr);
		fault = custom_fault(&plan, &before, codes, nr) ?: plan_fault(&plan, groups);
	}
	tap_ok(!fault, "plans with %u random custom sets are sound (fault: %s)", CUSTOM_SETS,
	       fault ?: "none");
}

/* The limits are the project's; 12 is the minimum at 6 counters. */
static void test_number_of_sets(void)
{
	static const struct {
		unsigned int counters;
		unsigned int max_sets;
	} limits[] = { { 5, 16 }, { 6, 13 }, { 7, 11 }, { 20, 4 } };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		n3t_plan_make(&plan, limits[i].counters, specified, NULL, NULL);
		tap_ok(plan.nr_sets <= limits[i].max_sets,
		       "the plan for %u counters has at most %u sets (it has %u)",
		       limits[i].counters, limits[i].max_sets, plan.nr_sets);
	}
}

static void test_refusals(void)
{
	DECLARE_BITMAP(none, N3T_NR_GROUPS) = { 0 };

	tap_ok(n3t_plan_make(&plan, 0, all_groups, NULL, NULL) == -EINVAL,
	       "n3t_plan_make() refuses 0 counters");
	tap_ok(n3t_plan_make(&plan, N3T_MAX_COUNTERS + 1, all_groups, NULL, NULL) == -EINVAL,
	       "n3t_plan_make() refuses %u counters", N3T_MAX_COUNTERS + 1);
	tap_ok(n3t_plan_make(&plan, 6, none, NULL, NULL) == -EINVAL,
	       "n3t_plan_make() refuses an empty choice of groups");
}

/* Is each other set in the rotation once, and Topdown_L1, if it is a set, once in each pair? */
static bool rotation_is_sound(struct n3t_rotation *rotation)
{
	unsigned int i, set, before = 0, length = n3t_plan_rotation(&plan);
	unsigned int times[N3T_MAX_SETS] = { 0 };
	bool l1 = plan.l1_set != N3T_NO_SET;

	for (i = 0; i < length; i++, before = set) {
		set = n3t_rotation_next(rotation, &plan);
		if (set >= plan.nr_sets)
			return false;
		if (l1 && plan.nr_sets > 1 && i % 2 && !set == !before)
			return false;
		times[set]++;
	}
	for (set = 0; set < plan.nr_sets; set++)
		if (times[set] != (l1 && set == 0 ? (length + 1) / 2 : 1))
			return false;
	return true;
}

static void test_rotations(void)
{
	unsigned int budget, seed, i, bad = 0;
	struct n3t_rotation rotation;

	for (budget = 1; budget <= N3T_MAX_COUNTERS; budget++) {
		n3t_plan_make(&plan, budget, all_groups, NULL, NULL);
		for (seed = 0; seed < SEEDS; seed++) {
			n3t_rotation_init(&rotation, &plan, seed);
			for (i = 0; i < 10; i++)
				bad += !rotation_is_sound(&rotation);
		}
	}
	tap_ok(!bad, "every rotation has Topdown_L1 once per pair and each other set once "
	       "(%u do not)", bad);
}

/* Deviation of a table of @sets x @sets numbers from the constant @expected. */
static double chi_squared(unsigned int table[N3T_MAX_SETS][N3T_MAX_SETS], unsigned int sets,
			  double expected)
{
	double sum = 0;
	unsigned int i, j;

	for (i = 0; i < sets; i++)
		for (j = 0; j < sets; j++)
			sum += (table[i][j] - expected) * (table[i][j] - expected) / expected;
	return sum;
}

/*
 * With 12 sets to alternate with Topdown_L1 chi-squared has a mean of 132 for the first
 * table (121 degrees of freedom, times 12/11 because each row is a permutation)
 * and 143 for the second. A fair shuffle exceeds 205 and 215 with a probability below
 * 1/5,000, and the seed is fixed.
 */
static void test_shuffle(void)
{
	static unsigned int place_of_set[N3T_MAX_SETS][N3T_MAX_SETS];
	static unsigned int place_after_place[N3T_MAX_SETS][N3T_MAX_SETS];
	unsigned int rotation_nr, place, others, set, last = 0, repeats = 0, same;
	double even, independent;
	u8 order[N3T_MAX_SETS] = { 0 };
	struct n3t_rotation rotation;

	n3t_plan_make(&plan, 6, specified, NULL, NULL);
	others = plan.nr_sets - 1;
	n3t_rotation_init(&rotation, &plan, 77);
	for (rotation_nr = 0; rotation_nr < ROTATIONS; rotation_nr++) {
		for (place = 0, same = 0; place < others; place++) {
			/* one of the two is 0 */
			set = n3t_rotation_next(&rotation, &plan);
			set += n3t_rotation_next(&rotation, &plan);
			place_of_set[set - 1][place]++;
			same += order[place] == set;
			order[place] = set;
		}
		repeats += same == others;
		for (place = 0; order[place] != 1; place++)
			;
		place_after_place[last][place]++;
		last = place;
	}
	tap_ok(!repeats, "no rotation has the order of the previous one (%u have)", repeats);
	even = chi_squared(place_of_set, others, (double)ROTATIONS / others);
	tap_ok(even < 205, "every set is equally frequent at every position of a rotation "
	       "(chi-squared %.0f, below 205)", even);
	independent = chi_squared(place_after_place, others, (double)ROTATIONS / others / others);
	tap_ok(independent < 215, "a set's position does not depend on that in the previous "
	       "rotation (chi-squared %.0f, below 215)", independent);
}

int main(void)
{
	bitmap_fill(all_groups, N3T_NR_GROUPS);
	tap_ok(n3t_spec_init() == 0 && n3t_formula_init() == 0, "tables and formulas initialize");
	check_specified_groups(specified);
	test_soundness();
	test_custom_sets();
	test_number_of_sets();
	test_refusals();
	test_rotations();
	test_shuffle();
	return tap_done();
}
