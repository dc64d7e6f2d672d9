// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: slice length by cost. */
#include <linux/time64.h>
#include <kunit/test.h>

#include "libn3t/pace.h"

#define SLICE_NS	(4ull * NSEC_PER_MSEC)

/* Slices of 4 ms for @ms milliseconds; returns the number of completed measurements. */
static unsigned int run_for(struct n3t_pace *pace, unsigned int ms, u64 cost_ns, u64 *now_ns)
{
	unsigned int i, learnt = 0;

	for (i = 0; i < ms / 4; i++) {
		*now_ns += SLICE_NS;
		if (!n3t_pace_add(pace, cost_ns, *now_ns))
			continue;
		n3t_pace_update(pace, *now_ns);
		pace->slice_ns = pace->typical >> N3T_PACE_SHIFT;
		learnt++;
	}
	return learnt;
}

static void slice_cost_is_measured_four_times_a_second(struct kunit *test)
{
	struct n3t_pace pace = {};
	u64 now_ns = 12345;

	n3t_pace_start(&pace, now_ns);
	KUNIT_EXPECT_EQ(test, run_for(&pace, 248, 1500, &now_ns), 0u);
	KUNIT_EXPECT_EQ(test, pace.slice_ns, 0ull);
	KUNIT_EXPECT_EQ(test, run_for(&pace, 4, 1500, &now_ns), 1u);
	KUNIT_EXPECT_EQ(test, pace.slice_ns, 1500ull);
	KUNIT_EXPECT_EQ(test, pace.slices, 0u);
	KUNIT_EXPECT_EQ(test, run_for(&pace, 10 * 252, 1500, &now_ns), 10u);
	KUNIT_EXPECT_EQ(test, pace.slice_ns, 1500ull);
}

static void the_mean_follows_within_two_seconds(struct kunit *test)
{
	struct n3t_pace pace = {};
	u64 now_ns = 0;

	n3t_pace_start(&pace, now_ns);
	run_for(&pace, 1008, 1000, &now_ns);
	/* a quarter of a second has a weight of one quarter */
	run_for(&pace, 252, 3000, &now_ns);
	KUNIT_EXPECT_GE(test, pace.slice_ns, 1450ull);
	KUNIT_EXPECT_LE(test, pace.slice_ns, 1500ull);
	run_for(&pace, 2016, 5000, &now_ns);
	KUNIT_EXPECT_GE(test, pace.slice_ns, 4600ull);
}

/* Ten times the cost, as in a virtual machine that starts to trap. */
static void lasting_cost_is_adopted_within_three_seconds(struct kunit *test)
{
	struct n3t_pace pace = {};
	u64 now_ns = 0;

	n3t_pace_start(&pace, now_ns);
	run_for(&pace, 1008, 1000, &now_ns);
	run_for(&pace, 3024, 10000, &now_ns);
	KUNIT_EXPECT_GE(test, pace.slice_ns, 8000ull);
	KUNIT_EXPECT_LE(test, pace.slice_ns, 10000ull);
}

/* The CPU is preempted for half a second, at first or later. */
static void one_long_slice_has_little_effect(struct kunit *test)
{
	static const unsigned int before_ms[] = { 0, 100, 1008, 10080 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(before_ms); i++) {
		struct n3t_pace pace = {};
		u64 now_ns = 0;

		n3t_pace_start(&pace, now_ns);
		run_for(&pace, before_ms[i], 1500, &now_ns);
		run_for(&pace, 4, 500 * NSEC_PER_MSEC, &now_ns);
		run_for(&pace, 504, 1500, &now_ns);
		KUNIT_EXPECT_LE_MSG(test, pace.slice_ns, 1600ull, "after %u ms", before_ms[i]);
		KUNIT_EXPECT_GE_MSG(test, pace.slice_ns, 1500ull, "after %u ms", before_ms[i]);
	}
}

/* Its clock does not advance during most slices. */
static void a_coarse_clock_is_enough(struct kunit *test)
{
	struct n3t_pace pace = {};
	unsigned int i;
	u64 now_ns = 0;

	n3t_pace_start(&pace, now_ns);
	for (i = 0; i < 5000; i++) {
		run_for(&pace, 4, 1, &now_ns);
		run_for(&pace, 12, 0, &now_ns);
	}
	KUNIT_EXPECT_GE(test, pace.typical, (u64)(1 << N3T_PACE_SHIFT) / 5);
	KUNIT_EXPECT_LE(test, pace.typical, (u64)(1 << N3T_PACE_SHIFT) / 3);
}

static void a_restart_keeps_the_typical_cost(struct kunit *test)
{
	struct n3t_pace pace = { .slice_ns = 777, .slices = 3, .cost = 99 };

	n3t_pace_start(&pace, 5);
	KUNIT_EXPECT_EQ(test, pace.slice_ns, 777ull);
	KUNIT_EXPECT_EQ(test, pace.slices, 0u);
	KUNIT_EXPECT_EQ(test, pace.cost, 0ull);
}

static void slice_length_follows_cost(struct kunit *test)
{
	static const struct {
		u64 slice_ns;
		unsigned int slice_ms, max_cost, now_ms, expected;
	} cases[] = {
		/* 2000 ppm of 4 ms are 8 us */
		{ 0, 4, 2000, 4, 4 },
		{ 1500, 4, 2000, 4, 4 },
		{ 8000, 4, 2000, 4, 4 },
		{ 8001, 4, 2000, 4, 5 },
		{ 40000, 4, 2000, 4, 20 },
		{ 40000, 4, 0, 4, 4 },
		{ 40000, 30, 2000, 30, 30 },
		/* at most the longest setting, whatever the cost */
		{ 3000000, 4, 2000, 4, N3T_SLICE_MS_MAX },
		{ U64_MAX / 8, 4, 1, 4, N3T_SLICE_MS_MAX },
		/* all of a CPU's time */
		{ 5000000, 4, 1000000, 4, 5 },
		/* shorter again only with a fifth to spare: 20 to 25 ms remain unchanged */
		{ 40000, 4, 2000, 19, 20 },
		{ 40000, 4, 2000, 22, 22 },
		{ 40000, 4, 2000, 25, 25 },
		{ 40000, 4, 2000, 26, 25 },
		{ 1500, 4, 2000, 500, 4 },
		{ 6400, 4, 2000, 9, 4 },
		{ 6404, 4, 2000, 9, 5 },
		/* no limit */
		{ 40000, 4, 0, 20, 4 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct n3t_pace pace = { .slice_ns = cases[i].slice_ns };

		KUNIT_EXPECT_EQ_MSG(test, n3t_pace_slice_ms(&pace, cases[i].slice_ms,
							    cases[i].max_cost, cases[i].now_ms),
				    cases[i].expected, "case %u", i);
	}
}

static struct kunit_case pace_cases[] = {
	KUNIT_CASE(slice_cost_is_measured_four_times_a_second),
	KUNIT_CASE(the_mean_follows_within_two_seconds),
	KUNIT_CASE(lasting_cost_is_adopted_within_three_seconds),
	KUNIT_CASE(one_long_slice_has_little_effect),
	KUNIT_CASE(a_coarse_clock_is_enough),
	KUNIT_CASE(a_restart_keeps_the_typical_cost),
	KUNIT_CASE(slice_length_follows_cost),
	{}
};

static struct kunit_suite pace_suite = {
	.name = "n3_telemetry_pace",
	.test_cases = pace_cases,
};

kunit_test_suite(pace_suite);
