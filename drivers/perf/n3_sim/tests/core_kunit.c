// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of the counters, at times chosen by the test. */
#include <kunit/test.h>
#include <linux/bitmap.h>
#include <linux/time64.h>

#include "core.h"

/* 3 cycles, 2 loads and 1 store per nanosecond */
static const u64 simple[N3T_NR_EVENTS] = {
	[N3T_EVENT_CPU_CYCLES] = 3 * NSEC_PER_SEC,
	[N3T_EVENT_LD_SPEC] = 2 * NSEC_PER_SEC,
	[N3T_EVENT_ST_SPEC] = 1 * NSEC_PER_SEC,
};

/* nearly one load in three nanoseconds */
static const u64 slow[N3T_NR_EVENTS] = {
	[N3T_EVENT_LD_SPEC] = 333333333,
};

#define START	1000

static int core_init(struct kunit *test)
{
	struct n3_sim_core *core = kunit_kzalloc(test, sizeof(*core), GFP_KERNEL);

	if (!core)
		return -ENOMEM;
	n3_sim_core_init(core, simple, START);
	test->priv = core;
	return 0;
}

static void a_counter_counts_from_start_to_stop(struct kunit *test)
{
	struct n3_sim_core *core = test->priv;

	n3_sim_counter_program(core, 0, N3T_CODE_LD_SPEC);
	n3_sim_counter_start(core, 0, START + 10);
	KUNIT_EXPECT_EQ(test, n3_sim_counter_read(core, 0, START + 10), 0ULL);
	KUNIT_EXPECT_EQ(test, n3_sim_counter_read(core, 0, START + 15), 10ULL);
	n3_sim_counter_stop(core, 0, START + 30);
	KUNIT_EXPECT_EQ(test, n3_sim_counter_read(core, 0, START + 99), 40ULL);

	n3_sim_counter_start(core, 0, START + 100);
	KUNIT_EXPECT_EQ(test, n3_sim_counter_read(core, 0, START + 101), 2ULL);
}

/* In-place switching of a counter relies on this. */
static void disable_and_enable_act_on_all_counters_at_once(struct kunit *test)
{
	struct n3_sim_core *core = test->priv;

	n3_sim_counter_program(core, 0, N3T_CODE_LD_SPEC);
	n3_sim_counter_program(core, N3_SIM_CYCLE_COUNTER, N3T_CODE_CPU_CYCLES);
	n3_sim_counter_start(core, 0, START);
	n3_sim_counter_start(core, N3_SIM_CYCLE_COUNTER, START);

	n3_sim_core_disable(core, START + 100);
	KUNIT_EXPECT_EQ(test, n3_sim_counter_read(core, 0, START + 105), 200ULL);

	/* at different times, which must not matter */
	n3_sim_counter_stop(core, 0, START + 110);
	n3_sim_counter_program(core, 0, N3T_CODE_ST_SPEC);
	n3_sim_counter_start(core, 0, START + 120);
	KUNIT_EXPECT_EQ(test, n3_sim_counter_read(core, 0, START + 125), 0ULL);
	n3_sim_core_enable(core, START + 130);

	KUNIT_EXPECT_EQ(test, n3_sim_counter_read(core, 0, START + 230), 100ULL);
	KUNIT_EXPECT_EQ(test, n3_sim_counter_read(core, N3_SIM_CYCLE_COUNTER, START + 230), 600ULL);
}

static void a_stopped_counter_stays_stopped_when_the_core_is_enabled(struct kunit *test)
{
	struct n3_sim_core *core = test->priv;

	n3_sim_counter_program(core, 3, N3T_CODE_LD_SPEC);
	n3_sim_counter_start(core, 3, START);
	n3_sim_counter_stop(core, 3, START + 10);
	n3_sim_core_disable(core, START + 20);
	n3_sim_core_enable(core, START + 30);
	KUNIT_EXPECT_EQ(test, n3_sim_counter_read(core, 3, START + 40), 20ULL);
}

static void the_cycle_counter_ignores_the_programmed_event(struct kunit *test)
{
	struct n3_sim_core *core = test->priv;

	n3_sim_counter_program(core, N3_SIM_CYCLE_COUNTER, N3T_CODE_LD_SPEC);
	n3_sim_counter_start(core, N3_SIM_CYCLE_COUNTER, START);
	KUNIT_EXPECT_EQ(test, n3_sim_counter_read(core, N3_SIM_CYCLE_COUNTER, START + 10), 30ULL);

	n3_sim_counter_program(core, 30, N3T_CODE_CPU_CYCLES);
	n3_sim_counter_start(core, 30, START);
	KUNIT_EXPECT_EQ(test, n3_sim_counter_read(core, 30, START + 10), 30ULL);
}

static void a_counter_of_an_uncountable_or_unknown_event_stays_0(struct kunit *test)
{
	static const u16 codes[] = { 0x0007, 0x001e, 0x400d, 0x400f, 0xffff };
	struct n3_sim_core *core = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		n3_sim_counter_program(core, i, codes[i]);
		n3_sim_counter_start(core, i, START);
		KUNIT_EXPECT_EQ(test, n3_sim_counter_read(core, i, START + 99), 0ULL);
	}
}

/* A change of rates preserves counts and their fractions. */
static void changing_the_rates_keeps_the_count(struct kunit *test)
{
	struct n3_sim_core *core = test->priv;
	u64 now = START, last = 0, count;
	unsigned int i;

	n3_sim_script_constant(&core->script, slow);
	for (i = 0; i < 1000; i++) {
		now += 1 + i % 7;
		n3_sim_core_fold(core, now);
		count = n3_sim_core_count(core, N3T_EVENT_LD_SPEC, now);
		KUNIT_ASSERT_GE(test, count, last);
		last = count;
	}
	/* 142 times 28 ns and 21 more: 3997 ns of 333,333,333 counts per s */
	KUNIT_EXPECT_EQ(test, now, START + 3997ULL);
	KUNIT_EXPECT_EQ(test, last, 1332ULL);

	n3_sim_script_constant(&core->script, simple);
	KUNIT_EXPECT_EQ(test, 1334ULL, n3_sim_core_count(core, N3T_EVENT_LD_SPEC, now + 1));
}

static void a_running_counter_counts_at_the_new_rates(struct kunit *test)
{
	struct n3_sim_core *core = test->priv;

	n3_sim_counter_program(core, 5, N3T_CODE_ST_SPEC);
	n3_sim_counter_start(core, 5, START);
	n3_sim_core_fold(core, START + 100);
	n3_sim_script_constant(&core->script, slow);
	KUNIT_EXPECT_EQ(test, n3_sim_counter_read(core, 5, START + 200), 100ULL);
}

static void an_idle_cpu_counts_nothing(struct kunit *test)
{
	struct n3_sim_core *core = test->priv;

	n3_sim_core_fold(core, START + 10);
	core->idle = true;
	KUNIT_EXPECT_EQ(test, 30ULL, n3_sim_core_count(core, N3T_EVENT_CPU_CYCLES, START + 500));
	n3_sim_core_fold(core, START + 500);
	core->idle = false;
	KUNIT_EXPECT_EQ(test, 60ULL, n3_sim_core_count(core, N3T_EVENT_CPU_CYCLES, START + 510));
}

static void with_only_cycles_no_other_event_is_counted(struct kunit *test)
{
	struct n3_sim_core *core = test->priv;

	n3_sim_core_fold(core, START + 10);
	core->only_cycles = true;
	KUNIT_EXPECT_EQ(test, 60ULL, n3_sim_core_count(core, N3T_EVENT_CPU_CYCLES, START + 20));
	KUNIT_EXPECT_EQ(test, 20ULL, n3_sim_core_count(core, N3T_EVENT_LD_SPEC, START + 20));
}

static void a_time_before_the_epoch_counts_nothing(struct kunit *test)
{
	struct n3_sim_core *core = test->priv;

	KUNIT_EXPECT_EQ(test, 0ULL, n3_sim_core_count(core, N3T_EVENT_CPU_CYCLES, START - 1));
}

static void cycles_get_the_cycle_counter_first(struct kunit *test)
{
	DECLARE_BITMAP(used, N3_SIM_NR_COUNTERS) = {};
	int idx;

	idx = n3_sim_counter_find(used, N3T_CODE_CPU_CYCLES, 6);
	KUNIT_EXPECT_EQ(test, idx, N3_SIM_CYCLE_COUNTER);
	__set_bit(idx, used);
	KUNIT_EXPECT_EQ(test, 0, n3_sim_counter_find(used, N3T_CODE_CPU_CYCLES, 6));
}

static void no_counter_is_found_when_all_are_used(struct kunit *test)
{
	static const unsigned int limits[] = { 0, 1, 6, 31 };
	DECLARE_BITMAP(used, N3_SIM_NR_COUNTERS);
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(limits); i++) {
		bitmap_zero(used, N3_SIM_NR_COUNTERS);
		for (n = 0; n < limits[i]; n++) {
			KUNIT_ASSERT_EQ(test, (int)n,
					n3_sim_counter_find(used, N3T_CODE_LD_SPEC, limits[i]));
			__set_bit(n, used);
		}
		KUNIT_EXPECT_EQ(test, -EAGAIN,
				n3_sim_counter_find(used, N3T_CODE_LD_SPEC, limits[i]));
		KUNIT_EXPECT_EQ(test, N3_SIM_CYCLE_COUNTER,
				n3_sim_counter_find(used, N3T_CODE_CPU_CYCLES, limits[i]));
	}
}

static struct kunit_case core_cases[] = {
	KUNIT_CASE(a_counter_counts_from_start_to_stop),
	KUNIT_CASE(disable_and_enable_act_on_all_counters_at_once),
	KUNIT_CASE(a_stopped_counter_stays_stopped_when_the_core_is_enabled),
	KUNIT_CASE(the_cycle_counter_ignores_the_programmed_event),
	KUNIT_CASE(a_counter_of_an_uncountable_or_unknown_event_stays_0),
	KUNIT_CASE(changing_the_rates_keeps_the_count),
	KUNIT_CASE(a_running_counter_counts_at_the_new_rates),
	KUNIT_CASE(an_idle_cpu_counts_nothing),
	KUNIT_CASE(with_only_cycles_no_other_event_is_counted),
	KUNIT_CASE(a_time_before_the_epoch_counts_nothing),
	KUNIT_CASE(cycles_get_the_cycle_counter_first),
	KUNIT_CASE(no_counter_is_found_when_all_are_used),
	{}
};

static struct kunit_suite core_suite = {
	.name = "n3_sim_core",
	.init = core_init,
	.test_cases = core_cases,
};

kunit_test_suite(core_suite);
