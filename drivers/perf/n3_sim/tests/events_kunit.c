// SPDX-License-Identifier: GPL-2.0
/* KUnit tests of event lookup by number and by name. */
#include <kunit/test.h>

#include "events.h"

/* The lookup by number is a binary search, which finds all only if they are sorted. */
static void exactly_the_countable_events_are_found_by_code_and_name(struct kunit *test)
{
	unsigned int event;

	for (event = 0; event < N3T_NR_EVENTS; event++) {
		const struct n3_sim_event *row = &n3_sim_events[event];
		int found = row->countable ? event : -ENOENT;

		KUNIT_EXPECT_EQ_MSG(test, found, n3_sim_event_by_code(row->code), "%s", row->name);
		KUNIT_EXPECT_EQ_MSG(test, found, n3_sim_event_by_name(row->name), "%s", row->name);
	}
}

static void unknown_codes_and_names_are_not_found(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, -ENOENT, n3_sim_event_by_name(""));
	KUNIT_EXPECT_EQ(test, -ENOENT, n3_sim_event_by_name("CPU_CYCLE"));
	KUNIT_EXPECT_EQ(test, -ENOENT, n3_sim_event_by_code(0x0007));
	KUNIT_EXPECT_EQ(test, -ENOENT, n3_sim_event_by_code(0xffff));
}

static struct kunit_case events_cases[] = {
	KUNIT_CASE(exactly_the_countable_events_are_found_by_code_and_name),
	KUNIT_CASE(unknown_codes_and_names_are_not_found),
	{}
};

static struct kunit_suite events_suite = {
	.name = "n3_sim_events",
	.test_cases = events_cases,
};

kunit_test_suite(events_suite);
