// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * KUnit: the order of the tables of events, metrics and metric groups, and their lookups.
 *
 * Comparison of each row with the specification is in selftests/user/spec_test.py.
 */
#include <linux/errno.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/spec.h"

/* Additions do not change the numbering of the specification's entries. */
static void specified_metrics_and_groups_come_first(struct kunit *test)
{
	static const u8 specified[] = {
#define N3T_METRIC(name, ...) N3T_METRIC_##name,
#define N3T_METRIC_BEYOND(group, name, ...)
#include "libn3t/n3t_metrics.def.h"
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(specified); i++)
		KUNIT_EXPECT_EQ_MSG(test, specified[i], i, "metric %s", n3t_metrics[i].name);
	for (i = 1; i < N3T_NR_GROUPS; i++)
		KUNIT_EXPECT_TRUE_MSG(test, n3t_groups[i - 1].stage || !n3t_groups[i].stage,
				      "group %s", n3t_groups[i].name);
}

static void events_are_found_by_name_and_number(struct kunit *test)
{
	const struct n3t_event_info *event;
	unsigned int i;

	for (i = 0; i < N3T_NR_EVENTS; i++) {
		event = &n3t_events[i];
		KUNIT_EXPECT_EQ(test, n3t_event_by_name(event->name), (int)i);
		KUNIT_EXPECT_EQ(test, n3t_event_by_code(event->code), (int)i);
		if (n3t_event_later(i))
			KUNIT_EXPECT_EQ(test, n3t_event_by_name(n3t_event_later(i)), (int)i);
	}
	KUNIT_EXPECT_EQ(test, n3t_event_by_name("stall_slot"), N3T_EVENT_STALL_SLOT);
	KUNIT_EXPECT_EQ(test, n3t_event_by_name("imp_l2_chi_rx_cbusy_3"),
			N3T_EVENT_IMP_L2_CHI_CBUSY3);
}

static void unknown_events_are_not_found(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, n3t_event_by_name(""), -ENOENT);
	KUNIT_EXPECT_EQ(test, n3t_event_by_name("STALL_SLO"), -ENOENT);
	KUNIT_EXPECT_EQ(test, n3t_event_by_name("STALL_SLOT "), -ENOENT);
	KUNIT_EXPECT_EQ(test, n3t_event_by_name("STALL_SLOTS"), -ENOENT);
	KUNIT_EXPECT_EQ(test, n3t_event_by_code(0x0006), -ENOENT);
	KUNIT_EXPECT_EQ(test, n3t_event_by_code(0xffff), -ENOENT);
}

/* Other files in the directory of a CPU, and its directory of totals. */
static void no_group_takes_the_name_of_another_file(struct kunit *test)
{
	static const char * const taken[] = { "status", "custom", "moments", "spe", "counters" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(taken); i++)
		KUNIT_EXPECT_EQ(test, n3t_group_by_name(taken[i]), -ENOENT);
	/* A value of the setting "groups". */
	KUNIT_EXPECT_EQ(test, n3t_group_by_name("all"), -ENOENT);
}

static void groups_are_found_by_name_and_by_file_name(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < N3T_NR_GROUPS; i++) {
		KUNIT_EXPECT_EQ(test, n3t_group_by_name(n3t_groups[i].name), (int)i);
		KUNIT_EXPECT_EQ(test, n3t_group_by_name(n3t_groups[i].file), (int)i);
	}
	KUNIT_EXPECT_EQ(test, n3t_group_by_name(""), -ENOENT);
	KUNIT_EXPECT_EQ(test, n3t_group_by_name("Topdown"), -ENOENT);
	KUNIT_EXPECT_EQ(test, n3t_group_by_name("Topdown_L12"), -ENOENT);
}

static struct kunit_case spec_cases[] = {
	KUNIT_CASE(specified_metrics_and_groups_come_first),
	KUNIT_CASE(events_are_found_by_name_and_number),
	KUNIT_CASE(unknown_events_are_not_found),
	KUNIT_CASE(no_group_takes_the_name_of_another_file),
	KUNIT_CASE(groups_are_found_by_name_and_by_file_name),
	{}
};

static struct kunit_suite spec_suite = {
	.name = "n3_telemetry_spec",
	.test_cases = spec_cases,
};

kunit_test_suite(spec_suite);
