// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of counts from rates. Expected values: exact integers from Python. */
#include <kunit/test.h>
#include <linux/kernel.h>

#include "rates.h"

struct integral_case {
	u64 rate;
	u64 ns;
	u64 whole;
	u32 nano;
};

static const struct integral_case integral_cases[] = {
	{ 0, 0, 0, 0 },
	{ 0, U64_MAX, 0, 0 },
	{ 1, 0, 0, 0 },
	{ 1, 999999999, 0, 999999999 },
	{ 1, 1000000000, 1, 0 },
	{ 3, 333333333, 0, 999999999 },
	{ 999999999, 1, 0, 999999999 },
	{ 999999999, 999999999, 999999998, 1 },
	{ 1000000000, 1, 1, 0 },
	{ 1000000001, 999999999, 999999999, 999999999 },
	{ 3000000000, 16, 48, 0 },
	{ 10702500000, 20000001, 214050010, 702500000 },
	{ 19999999999, 86400000000007, 1727999999913739, 999999993 },
	/* the counter wraps around from here */
	{ 1000000000000, 9223372036854775808ULL, 0, 0 },
	{ 1000000000000, U64_MAX, 18446744073709550616ULL, 0 },
	{ U64_MAX, U64_MAX, 13088917030545547316ULL, 349108225 },
	{ U64_MAX, 1, 18446744073, 709551615 },
	{ 1, U64_MAX, 18446744073, 709551615 },
};

static void the_integral_of_a_rate_is_exact(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(integral_cases); i++) {
		const struct integral_case *c = &integral_cases[i];
		struct n3_sim_count count = n3_sim_integral(c->rate, c->ns);

		KUNIT_EXPECT_EQ_MSG(test, count.whole, c->whole, "%llu * %llu", c->rate, c->ns);
		KUNIT_EXPECT_EQ_MSG(test, count.nano, c->nano, "%llu * %llu", c->rate, c->ns);
	}
}

/* However a time is divided, no count is lost or duplicated. */
static void integrals_over_parts_sum_to_the_whole(struct kunit *test)
{
	const u64 rate = 12345678901ULL, total = 9876543210987ULL;
	struct n3_sim_count whole = n3_sim_integral(rate, total);
	struct n3_sim_count sum = {};
	u64 left = total, part = 1;

	while (left) {
		part = min(left, part * 3 + 1);
		sum = n3_sim_count_add(sum, n3_sim_integral(rate, part));
		left -= part;
	}
	KUNIT_EXPECT_EQ(test, sum.whole, whole.whole);
	KUNIT_EXPECT_EQ(test, sum.nano, whole.nano);
}

static const u64 fast[N3T_NR_EVENTS] = {
	[N3T_EVENT_LD_SPEC] = 1234567891,
};

static const u64 faster[N3T_NR_EVENTS] = {
	[N3T_EVENT_LD_SPEC] = 20000000003,
};

static const struct n3_sim_script three_phases = {
	.period_ns = 1000003 + 777 + 2500000999ULL,
	.nr = 3,
	.phase = {
		{ fast, 1000003 },
		{ NULL, 777 },
		{ faster, 2500000999ULL },
	},
};

struct script_case {
	u64 ns;
	u64 whole;
	u32 nano;
};

static const struct script_case script_cases[] = {
	{ 0, 0, 0 },
	{ 1, 1, 234567891 },
	/* around the end of the first phase and of the second */
	{ 1000002, 1234570, 360135782 },
	{ 1000003, 1234571, 594703673 },
	{ 1000004, 1234571, 594703673 },
	{ 1000779, 1234571, 594703673 },
	{ 1000780, 1234571, 594703673 },
	{ 1000781, 1234591, 594703676 },
	/* around the end of the period */
	{ 2501001778, 50001254539, 94706667 },
	{ 2501001779, 50001254559, 94706670 },
	{ 2501001780, 50001254560, 329274561 },
	/* many periods later */
	{ 17508012953, 350010016485, 257650363 },
	{ 2501001902456789, 50001257009449458, 632071700 },
	{ 9223372036854788153ULL, 18377482090555189591ULL, 639564778 },
	{ U64_MAX, 18308220107419114775ULL, 687354150 },
};

static void the_count_over_phases_is_exact(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(script_cases); i++) {
		const struct script_case *c = &script_cases[i];
		struct n3_sim_count count =
			n3_sim_script_count(&three_phases, N3T_EVENT_LD_SPEC, c->ns);

		KUNIT_EXPECT_EQ_MSG(test, count.whole, c->whole, "%llu ns", c->ns);
		KUNIT_EXPECT_EQ_MSG(test, count.nano, c->nano, "%llu ns", c->ns);
	}
}

static void a_script_without_a_period_never_ends(struct kunit *test)
{
	struct n3_sim_script script;
	struct n3_sim_count count;

	n3_sim_script_constant(&script, fast);
	count = n3_sim_script_count(&script, N3T_EVENT_LD_SPEC, 1000000000000000ULL);
	KUNIT_EXPECT_EQ(test, count.whole, 1234567891000000ULL);
	KUNIT_EXPECT_PTR_EQ(test, n3_sim_script_phase(&script, U64_MAX)->rates, &fast[0]);
}

static void a_phase_ends_where_the_next_starts(struct kunit *test)
{
	const u64 period = three_phases.period_ns;
	const struct n3_sim_phase *phase = three_phases.phase;

	KUNIT_EXPECT_PTR_EQ(test, n3_sim_script_phase(&three_phases, 0), &phase[0]);
	KUNIT_EXPECT_PTR_EQ(test, n3_sim_script_phase(&three_phases, 1000002), &phase[0]);
	KUNIT_EXPECT_PTR_EQ(test, n3_sim_script_phase(&three_phases, 1000003), &phase[1]);
	KUNIT_EXPECT_PTR_EQ(test, n3_sim_script_phase(&three_phases, 1000780), &phase[2]);
	KUNIT_EXPECT_PTR_EQ(test, n3_sim_script_phase(&three_phases, period - 1), &phase[2]);
	KUNIT_EXPECT_PTR_EQ(test, n3_sim_script_phase(&three_phases, 9 * period), &phase[0]);
}

static struct kunit_case rates_cases[] = {
	KUNIT_CASE(the_integral_of_a_rate_is_exact),
	KUNIT_CASE(integrals_over_parts_sum_to_the_whole),
	KUNIT_CASE(the_count_over_phases_is_exact),
	KUNIT_CASE(a_script_without_a_period_never_ends),
	KUNIT_CASE(a_phase_ends_where_the_next_starts),
	{}
};

static struct kunit_suite rates_suite = {
	.name = "n3_sim_rates",
	.test_cases = rates_cases,
};

kunit_test_suite(rates_suite);
