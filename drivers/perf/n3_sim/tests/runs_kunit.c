// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of rates by cgroup and of the true sums. Expected values: exact integers. */
#include <kunit/test.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "core.h"
#include "parse.h"
#include "runs.h"

#define START		1000000
#define CYCLES		0	/* indices of events */
#define FRONTEND	2

/* The cgroups 7 and 9; each nanosecond counts 1, 2 or 3 cycles of 7, 5 of 9 and 1 of others. */
static const char text[] =
	"cold 3\n"
	"noise 100 10\n"
	"0 warm 1000000000 0 0 0 0 0 0\n"
	"7 warm 1000000000 0 333333333 0 0 0 0\n"
	"7 cold 2000000000 0 0 0 0 0 1000000000000\n"
	"\n"
	"  7 noisy 3000000000 0 0 0 0 0 0\r\n"
	"9 warm  5000000000 0 0 0\t0 0 0\n";

struct state {
	struct n3_sim_owners owners;
	struct n3_sim_core core;
	struct n3_sim_truth truth[N3_SIM_MAX_OWNERS + 1];
	u64 no_rates[N3T_NR_EVENTS];
	char text[sizeof(text) + 64];
};

static int parse(struct state *state, const char *lines)
{
	memset(&state->owners, 0, sizeof(state->owners));
	strscpy(state->text, lines, sizeof(state->text));
	return n3_sim_parse_owners(state->text, &state->owners);
}

static int runs_init(struct kunit *test)
{
	struct state *state = kunit_kzalloc(test, sizeof(*state), GFP_KERNEL);

	if (!state)
		return -ENOMEM;
	test->priv = state;
	n3_sim_core_init(&state->core, state->no_rates, START);
	return parse(state, text);
}

static void cgroups_are_parsed(struct kunit *test)
{
	struct state *state = test->priv;
	struct n3_sim_owners *owners = &state->owners;

	KUNIT_EXPECT_EQ(test, owners->nr, 3U);
	KUNIT_EXPECT_EQ(test, owners->cold_ns, 3000ULL);
	KUNIT_EXPECT_EQ(test, owners->period_ns, 100000ULL);
	KUNIT_EXPECT_EQ(test, owners->noisy_ns, 10000ULL);
	KUNIT_EXPECT_EQ(test, n3_sim_owners_find(owners, 7), 1U);
	KUNIT_EXPECT_EQ(test, owners->owner[1].rates[N3_SIM_COLD][6], 1000000000000ULL);
	KUNIT_EXPECT_EQ(test, owners->owner[2].rates[N3_SIM_COLD][CYCLES], 5000000000ULL);
	KUNIT_EXPECT_EQ(test, owners->owner[2].rates[N3_SIM_NOISY][CYCLES], 5000000000ULL);
}

static const char * const bad_lines[] = {
	"",
	"cold 5",
	"7 warm 1 2 3 4 5 6 7",
	"0 warm 1 2 3 4 5 6",
	"0 warm 1 2 3 4 5 6 7 8",
	"0 warm 1 2 3 4 5 6 x",
	"0 warm 1 2 3 4 5 6 1000000000001",
	"0 hot 1 2 3 4 5 6 7",
	"0 cold 1 2 3 4 5 6 7",
	"0",
	"0 warm",
	"0 warm 1 2 3 4 5 6 7\n0 warm 1 2 3 4 5 6 7",
	"0 warm 1 2 3 4 5 6 7\n8 cold 1 2 3 4 5 6 7",
	"0 warm 1 2 3 4 5 6 7\n-8 warm 1 2 3 4 5 6 7",
	"0 warm 1 2 3 4 5 6 7\ncold",
	"0 warm 1 2 3 4 5 6 7\ncold 1 2",
	"0 warm 1 2 3 4 5 6 7\nnoise 5",
	"0 warm 1 2 3 4 5 6 7\nnoise 5 6",
};

static void invalid_cgroups_are_refused(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad_lines); i++)
		KUNIT_EXPECT_EQ_MSG(test, -EINVAL, parse(test->priv, bad_lines[i]), "\"%s\"",
				    bad_lines[i]);
}

/* Several of these ids share a slot. */
static void a_full_table_finds_all_cgroups(struct kunit *test)
{
	struct state *state = test->priv;
	struct n3_sim_owners *owners = &state->owners;
	unsigned int i;

	memset(owners, 0, sizeof(*owners));
	for (i = 0; i < N3_SIM_MAX_OWNERS; i++)
		KUNIT_ASSERT_EQ(test, (int)i, n3_sim_owners_add(owners, i * i * 1000003ULL));
	for (i = 0; i < N3_SIM_MAX_OWNERS; i++)
		KUNIT_EXPECT_EQ(test, i, n3_sim_owners_find(owners, i * i * 1000003ULL));
	KUNIT_EXPECT_EQ(test, 0U, n3_sim_owners_find(owners, 1));
	KUNIT_EXPECT_EQ(test, -EINVAL, n3_sim_owners_add(owners, 1000003));
	KUNIT_EXPECT_EQ(test, -ENOSPC, n3_sim_owners_add(owners, 1));
}

static void all_but_seven_events_follow_the_script(struct kunit *test)
{
	unsigned int event, following = 0;

	for (event = 0; event < N3T_NR_EVENTS; event++)
		following += n3_sim_following_index(event) >= 0;
	KUNIT_EXPECT_EQ(test, following, 7U);
	KUNIT_EXPECT_EQ(test, 0, n3_sim_following_index(N3T_EVENT_CPU_CYCLES));
	KUNIT_EXPECT_EQ(test, 6, n3_sim_following_index(N3T_EVENT_OP_SPEC));
	KUNIT_EXPECT_EQ(test, -ENOENT, n3_sim_following_index(-1));
}

/* Observing a switch takes a microsecond, which has to be run time, and nothing else. */
static void switch_to(struct n3_sim_core *core, unsigned int owner, u64 now)
{
	u64 local_ns = now + core->lost_ns;

	n3_sim_core_freeze(core, local_ns);
	n3_sim_core_switch(core, owner, local_ns + 1000);
}

/* START is the start of the noisy neighbour's period. */
static void rates_change_at_switches_and_within_a_run(struct kunit *test)
{
	struct state *state = test->priv;
	struct n3_sim_core *core = &state->core;
	static const u64 counts[][2] = {
		{ 0, 0 },
		{ 3000, 6000 },			/* cold */
		{ 10000, 27000 },		/* noisy */
		{ 100000, 117000 },		/* warm */
		{ 110000, 147000 },		/* noisy */
		{ 110001, 147001 },
		{ 1000000, 1000000 + 20000 * 10 + 3000 - 6000 },
	};
	unsigned int i;

	n3_sim_core_follow(core, &state->owners, state->truth, N3_SIM_IDLE, START);
	switch_to(core, 1, START);
	for (i = 0; i < ARRAY_SIZE(counts); i++)
		KUNIT_EXPECT_EQ(test, counts[i][1], n3_sim_core_count(core, N3T_EVENT_CPU_CYCLES,
								      START + counts[i][0]));
	switch_to(core, N3_SIM_IDLE, START + 20000);
	KUNIT_EXPECT_EQ(test, 37000ULL,
			n3_sim_core_count(core, N3T_EVENT_CPU_CYCLES, START + 90000));
	/* idleness keeps it warm */
	switch_to(core, 1, START + 90000);
	KUNIT_EXPECT_EQ(test, 37001ULL,
			n3_sim_core_count(core, N3T_EVENT_CPU_CYCLES, START + 90001));
	switch_to(core, 2, START + 90010);
	switch_to(core, 1, START + 90020);
	KUNIT_EXPECT_EQ(test, 37062ULL,
			n3_sim_core_count(core, N3T_EVENT_CPU_CYCLES, START + 90021));
	KUNIT_EXPECT_EQ(test, 37010ULL, state->truth[1].all.count[CYCLES].whole);
	KUNIT_EXPECT_EQ(test, 50ULL, state->truth[2].all.count[CYCLES].whole);
	KUNIT_EXPECT_EQ(test, 20010 + 3000ULL, state->truth[1].all.ns);
	KUNIT_EXPECT_EQ(test, 10 + 1000ULL, state->truth[2].all.ns);
	KUNIT_EXPECT_EQ(test, 70000 + 1000ULL, state->truth[N3_SIM_IDLE].all.ns);
	KUNIT_EXPECT_EQ(test, 5000ULL, core->lost_ns);
	KUNIT_EXPECT_EQ(test, 3ULL, state->truth[1].runs);
}

/* One count in three nanoseconds: 333 runs of 1 ns count 110.999999889. */
static void no_fraction_is_lost(struct kunit *test)
{
	struct state *state = test->priv;
	struct n3_sim_core *core = &state->core;
	const u64 start = START + 50000;
	struct n3_sim_count count;
	unsigned int i;

	n3_sim_core_follow(core, &state->owners, state->truth, 1, start);
	state->core.run.cold_until = 0;
	state->owners.cold_ns = 0;
	for (i = 0; i < 333; i++) {
		switch_to(core, 2, start + 2 * i + 1);
		switch_to(core, 1, start + 2 * i + 2);
	}
	count = state->truth[1].all.count[FRONTEND];
	KUNIT_EXPECT_EQ(test, count.whole, 110ULL);
	KUNIT_EXPECT_EQ(test, count.nano, 999999889U);
	KUNIT_EXPECT_EQ(test, 110ULL,
			n3_sim_core_count(core, N3T_EVENT_STALL_SLOT_FRONTEND, start + 666));
	/* a change of the script, and back to it */
	n3_sim_core_fold(core, start + 666);
	n3_sim_core_follow(core, NULL, NULL, 0, start + 667);
	KUNIT_EXPECT_EQ(test, 111ULL,
			n3_sim_core_count(core, N3T_EVENT_STALL_SLOT_FRONTEND, start + 9999));
	KUNIT_EXPECT_EQ(test, 334 + 5 * 333ULL,
			n3_sim_core_count(core, N3T_EVENT_CPU_CYCLES, start + 9999));
}

static void sums_while_all_are_counted_are_separate(struct kunit *test)
{
	struct state *state = test->priv;
	struct n3_sim_core *core = &state->core;
	static const u16 codes[] = {
		N3T_CODE_STALL_SLOT, N3T_CODE_STALL_SLOT_FRONTEND, N3T_CODE_STALL_SLOT_BACKEND,
		N3T_CODE_STALL_FRONTEND_FLUSH, N3T_CODE_OP_RETIRED, N3T_CODE_OP_SPEC,
	};
	const u64 start = START + 50000;
	unsigned int i;

	n3_sim_core_follow(core, &state->owners, state->truth, 2, start);
	n3_sim_core_disable(core, start + 1);
	for (i = 0; i < ARRAY_SIZE(codes); i++) {
		n3_sim_counter_program(core, i, codes[i]);
		n3_sim_counter_start(core, i, start + 2);
	}
	n3_sim_counter_program(core, N3_SIM_CYCLE_COUNTER, N3T_CODE_CPU_CYCLES);
	n3_sim_counter_start(core, N3_SIM_CYCLE_COUNTER, start + 2);
	KUNIT_EXPECT_FALSE(test, core->run.counted);
	n3_sim_core_enable(core, start + 10);
	KUNIT_EXPECT_TRUE(test, core->run.counted);
	n3_sim_core_disable(core, start + 30);
	n3_sim_core_enable(core, start + 32);
	n3_sim_counter_stop(core, 3, start + 100);
	KUNIT_EXPECT_FALSE(test, core->run.counted);
	switch_to(core, 1, start + 200);
	KUNIT_EXPECT_EQ(test, state->truth[2].all.ns, 200ULL);
	KUNIT_EXPECT_EQ(test, state->truth[2].counted.ns, 88ULL);
	KUNIT_EXPECT_EQ(test, state->truth[2].counted.count[CYCLES].whole, 440ULL);
	KUNIT_EXPECT_EQ(test, 5 * 188ULL,
			n3_sim_counter_read(core, N3_SIM_CYCLE_COUNTER, start + 200));
}

static struct kunit_case runs_cases[] = {
	KUNIT_CASE(cgroups_are_parsed),
	KUNIT_CASE(invalid_cgroups_are_refused),
	KUNIT_CASE(a_full_table_finds_all_cgroups),
	KUNIT_CASE(all_but_seven_events_follow_the_script),
	KUNIT_CASE(rates_change_at_switches_and_within_a_run),
	KUNIT_CASE(no_fraction_is_lost),
	KUNIT_CASE(sums_while_all_are_counted_are_separate),
	{}
};

static struct kunit_suite runs_suite = {
	.name = "n3_sim_runs",
	.init = runs_init,
	.test_cases = runs_cases,
};

kunit_test_suite(runs_suite);
