// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of the parser for debugfs. */
#include <kunit/test.h>
#include <linux/string.h>

#include "parse.h"
#include "rates.h"
#include "scenarios.h"

static char *copy_of(struct kunit *test, const char *text)
{
	char *copy = kunit_kzalloc(test, strlen(text) + 1, GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, copy);
	return strcpy(copy, text);
}

static int parse_rates(struct kunit *test, const char *text, u64 *rates)
{
	return n3_sim_parse_rates(copy_of(test, text), rates);
}

static int parse_program(struct kunit *test, const char *text, struct n3_sim_script *script)
{
	return n3_sim_parse_program(copy_of(test, text), script);
}

static u64 *new_rates(struct kunit *test)
{
	u64 *rates = kunit_kzalloc(test, N3T_NR_EVENTS * sizeof(*rates), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, rates);
	return rates;
}

static void rates_are_accepted_by_name_and_by_code(struct kunit *test)
{
	u64 *rates = new_rates(test);

	rates[N3T_EVENT_LD_SPEC] = 77;
	KUNIT_EXPECT_EQ(test, 0, parse_rates(test,
					     "CPU_CYCLES 3000000000\n"
					     "\n"
					     "  0x8 \t 0\r\n"
					     "0x829A 1000000000000\n"
					     "stall_slot 15", rates));
	KUNIT_EXPECT_EQ(test, rates[N3T_EVENT_CPU_CYCLES], 3000000000ULL);
	KUNIT_EXPECT_EQ(test, rates[N3T_EVENT_INST_RETIRED], 0ULL);
	KUNIT_EXPECT_EQ(test, rates[N3T_EVENT_LL_CACHE_REFILL], N3_SIM_MAX_RATE);
	KUNIT_EXPECT_EQ(test, rates[N3T_EVENT_STALL_SLOT], 15ULL);
	KUNIT_EXPECT_EQ(test, rates[N3T_EVENT_LD_SPEC], 77ULL);
}

static const char * const bad_rates[] = {
	"",
	"\n\r\n",
	"CPU_CYCLES",
	"CPU_CYCLES ",
	"CPU_CYCLES x",
	"CPU_CYCLES -1",
	"CPU_CYCLES +1",
	"CPU_CYCLES 0x10",
	"CPU_CYCLES 1.5",
	"CPU_CYCLES 1 2",
	"CPU_CYCLES 1000000000001",
	"CPU_CYCLES 18446744073709551617",
	"CPU_CYCLE 1",
	"1",
	"0x 1",
	"0x11x 1",
	"0x10011 1",
	"0x-1 1",
	/* not an event of an N3 */
	"0x7 1",
	"0xffff 1",
	/* not countable */
	"CHAIN 1",
	"0x1e 1",
	"PMU_OVFS 1",
	"0x400f 1",
	/* one invalid line among valid ones */
	"CPU_CYCLES 1\nCHAIN 1",
	"CPU_CYCLES 1\nLD_SPEC",
};

static void invalid_rates_are_refused(struct kunit *test)
{
	u64 *rates = new_rates(test);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad_rates); i++)
		KUNIT_EXPECT_EQ_MSG(test, -EINVAL, parse_rates(test, bad_rates[i], rates), "\"%s\"",
				    bad_rates[i]);
}

static void a_valid_program_is_accepted(struct kunit *test)
{
	struct n3_sim_script script;

	KUNIT_EXPECT_EQ(test, 0, parse_program(test,
					       "retiring 1\n"
					       "\tidle\t 20000\r\n\n"
					       "frontend_bound 3600000000\n",
					       &script));
	KUNIT_EXPECT_EQ(test, script.nr, 3U);
	KUNIT_EXPECT_EQ(test, script.period_ns, 3600020001000ULL);
	KUNIT_EXPECT_PTR_EQ(test, script.phase[0].rates,
			    &n3_sim_scenario_by_name("retiring")->rates[0]);
	KUNIT_EXPECT_EQ(test, script.phase[0].ns, 1000ULL);
	KUNIT_EXPECT_PTR_EQ(test, script.phase[1].rates, (const u64 *)NULL);
	KUNIT_EXPECT_EQ(test, script.phase[1].ns, 20000000ULL);
	KUNIT_EXPECT_PTR_EQ(test, script.phase[2].rates,
			    &n3_sim_scenario_by_name("frontend_bound")->rates[0]);
	KUNIT_EXPECT_EQ(test, script.phase[2].ns, 3600000000000ULL);
}

static const char * const bad_programs[] = {
	"",
	"retiring",
	"retiring 0",
	"retiring -5",
	"retiring 5us",
	"retiring 3600000001",
	"custom 5",
	"Retiring 5",
	"retiring 5\nidle",
	"retiring 5 idle 5",
};

static void invalid_programs_are_refused(struct kunit *test)
{
	struct n3_sim_script script;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad_programs); i++)
		KUNIT_EXPECT_EQ_MSG(test, -EINVAL, parse_program(test, bad_programs[i], &script),
				    "\"%s\"", bad_programs[i]);
}

static void a_program_with_too_many_phases_is_refused(struct kunit *test)
{
	char text[(N3_SIM_MAX_PHASES + 1) * sizeof("idle 1\n")] = "";
	struct n3_sim_script script;
	unsigned int i;

	for (i = 0; i < N3_SIM_MAX_PHASES; i++)
		strcat(text, "idle 1\n");
	KUNIT_EXPECT_EQ(test, 0, parse_program(test, text, &script));
	strcat(text, "idle 1\n");
	KUNIT_EXPECT_EQ(test, -EINVAL, parse_program(test, text, &script));
}

static struct kunit_case parse_cases[] = {
	KUNIT_CASE(rates_are_accepted_by_name_and_by_code),
	KUNIT_CASE(invalid_rates_are_refused),
	KUNIT_CASE(a_valid_program_is_accepted),
	KUNIT_CASE(invalid_programs_are_refused),
	KUNIT_CASE(a_program_with_too_many_phases_is_refused),
	{}
};

static struct kunit_suite parse_suite = {
	.name = "n3_sim_parse",
	.test_cases = parse_cases,
};

kunit_test_suite(parse_suite);
