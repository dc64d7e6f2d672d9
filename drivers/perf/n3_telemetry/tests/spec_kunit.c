// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * KUnit: the tables of events, metrics and metric groups, and their lookups.
 *
 * Comparison of each row with the specification is in selftests/user/spec_test.py;
 * these tests check invariants of all rows.
 */
#include <linux/bitmap.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/formula.h"
#include "libn3t/spec.h"

/* Arm's Neoverse N3 Core Telemetry Specification (109530, issue 01), sections 4 and 5 */
#define METRICS			67
#define GROUPS			18
#define METRIC_EVENTS		65	/* programmable events in all its formulas together */
#define EVENTS_PER_METRIC	4	/* at most, not counting CPU_CYCLES */

static void tables_are_complete(struct kunit *test)
{
	unsigned int i, groups = 0;

	KUNIT_EXPECT_EQ(test, N3T_NR_SPECIFIED_METRICS, METRICS);
	for (i = 0; i < N3T_NR_GROUPS; i++)
		groups += !!n3t_groups[i].stage;
	KUNIT_EXPECT_EQ(test, groups, GROUPS);
}

/* Additions do not change the numbering of the specification's entries. */
static void specified_metrics_and_groups_come_first(struct kunit *test)
{
	static const u8 specified[] = {
#define N3T_METRIC(name, unit, formula) N3T_METRIC_##name,
#define N3T_METRIC_BEYOND(name, unit, formula)
#include "libn3t/n3t_metrics.def.h"
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(specified); i++)
		KUNIT_EXPECT_EQ_MSG(test, specified[i], i, "metric %s", n3t_metrics[i].name);
	for (i = 1; i < N3T_NR_GROUPS; i++)
		KUNIT_EXPECT_TRUE_MSG(test, n3t_groups[i - 1].stage || !n3t_groups[i].stage,
				      "group %s", n3t_groups[i].name);
}

static void event_numbers_are_unique_and_rising(struct kunit *test)
{
	unsigned int i;

	for (i = 1; i < N3T_NR_EVENTS; i++)
		KUNIT_EXPECT_GT_MSG(test, n3t_events[i].code, n3t_events[i - 1].code, "event %s",
				    n3t_events[i].name);
}

static void three_events_cannot_be_counted(struct kunit *test)
{
	unsigned int i, nr = 0;

	for (i = 0; i < N3T_NR_EVENTS; i++)
		nr += !n3t_events[i].countable;
	KUNIT_EXPECT_EQ(test, nr, 3U);
	KUNIT_EXPECT_FALSE(test, n3t_events[N3T_EVENT_CHAIN].countable);
	KUNIT_EXPECT_FALSE(test, n3t_events[N3T_EVENT_PMU_OVFS].countable);
	KUNIT_EXPECT_FALSE(test, n3t_events[N3T_EVENT_PMU_HOVFS].countable);
}

/* Numbers that the kernel's asm/perf_event.h also defines. */
static void known_events_have_the_numbers_of_the_kernel(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, n3t_events[N3T_EVENT_SW_INCR].code, 0x0000);
	KUNIT_EXPECT_EQ(test, n3t_events[N3T_EVENT_INST_RETIRED].code, 0x0008);
	KUNIT_EXPECT_EQ(test, n3t_events[N3T_EVENT_CPU_CYCLES].code, 0x0011);
	KUNIT_EXPECT_EQ(test, n3t_events[N3T_EVENT_OP_RETIRED].code, 0x003a);
	KUNIT_EXPECT_EQ(test, n3t_events[N3T_EVENT_STALL_SLOT].code, 0x003f);
	KUNIT_EXPECT_EQ(test, n3t_events[N3T_EVENT_SAMPLE_POP].code, 0x4000);
	KUNIT_EXPECT_EQ(test, n3t_events[N3T_EVENT_STALL_BACKEND_MEM].code, 0x4005);
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

static void metrics_need_at_most_four_events(struct kunit *test)
{
	DECLARE_BITMAP(seen, N3T_NR_EVENTS);
	const struct n3t_formula *formula;
	unsigned int i, k;
	int event;

	bitmap_zero(seen, N3T_NR_EVENTS);
	for (i = 0; i < N3T_NR_METRICS; i++) {
		formula = n3t_metric_formula(i);
		KUNIT_EXPECT_GT_MSG(test, formula->nr_events, 0U, "metric %s",
				    n3t_metrics[i].name);
		KUNIT_EXPECT_LE_MSG(test, formula->nr_events, EVENTS_PER_METRIC, "metric %s",
				    n3t_metrics[i].name);
		for (k = 0; k < formula->nr_events; k++) {
			event = n3t_event_by_code(formula->code[k]);
			KUNIT_ASSERT_GE(test, event, 0);
			KUNIT_EXPECT_TRUE(test, n3t_events[event].countable);
			if (i < N3T_NR_SPECIFIED_METRICS)
				__set_bit(event, seen);
		}
	}
	KUNIT_EXPECT_EQ(test, bitmap_weight(seen, N3T_NR_EVENTS), METRIC_EVENTS);
}

static void every_metric_is_in_a_group(struct kunit *test)
{
	DECLARE_BITMAP(seen, N3T_NR_METRICS);
	DECLARE_BITMAP(in_group, N3T_NR_METRICS);
	const struct n3t_group_info *group;
	unsigned int i, k;

	bitmap_zero(seen, N3T_NR_METRICS);
	for (i = 0; i < N3T_NR_GROUPS; i++) {
		group = &n3t_groups[i];
		bitmap_zero(in_group, N3T_NR_METRICS);
		KUNIT_EXPECT_GT(test, group->nr_members, 0U);
		for (k = 0; k < group->nr_members; k++) {
			KUNIT_ASSERT_LT(test, group->members[k], N3T_NR_METRICS);
			__set_bit(group->members[k], seen);
			__set_bit(group->members[k], in_group);
		}
		/* No group lists a metric twice. */
		KUNIT_EXPECT_EQ(test, bitmap_weight(in_group, N3T_NR_METRICS),
				group->nr_members);
	}
	KUNIT_EXPECT_EQ(test, bitmap_weight(seen, N3T_NR_METRICS), N3T_NR_METRICS);
}

/* Metrics beyond the specification have groups of their own. */
static void no_group_mixes_specified_and_extra_metrics(struct kunit *test)
{
	const struct n3t_group_info *group;
	unsigned int i, k;

	for (i = 0; i < N3T_NR_GROUPS; i++) {
		group = &n3t_groups[i];
		KUNIT_EXPECT_LE(test, group->stage, 2U);
		for (k = 0; k < group->nr_members; k++)
			KUNIT_EXPECT_EQ_MSG(test, group->members[k] < N3T_NR_SPECIFIED_METRICS,
					    group->stage > 0, "group %s metric %s", group->name,
					    n3t_metrics[group->members[k]].name);
	}
}

static void metric_and_group_names_are_unique(struct kunit *test)
{
	unsigned int i, k;

	for (i = 0; i < N3T_NR_METRICS; i++)
		for (k = 0; k < i; k++)
			KUNIT_EXPECT_NE_MSG(test, strcasecmp(n3t_metrics[i].name,
							     n3t_metrics[k].name), 0,
					    "metric %s", n3t_metrics[i].name);
	for (i = 0; i < N3T_NR_GROUPS; i++)
		for (k = 0; k < i; k++)
			KUNIT_EXPECT_NE_MSG(test, strcasecmp(n3t_groups[i].name,
							     n3t_groups[k].name), 0,
					    "group %s", n3t_groups[i].name);
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

static void files_are_named_in_lower_case(struct kunit *test)
{
	const struct n3t_group_info *group;
	const char *c;
	unsigned int i;

	for (i = 0; i < N3T_NR_GROUPS; i++) {
		group = &n3t_groups[i];
		KUNIT_EXPECT_EQ(test, strcasecmp(group->file, group->name), 0);
		for (c = group->file; *c; c++)
			KUNIT_EXPECT_TRUE(test, islower(*c) || isdigit(*c) || *c == '_');
	}
	KUNIT_EXPECT_STREQ(test, n3t_groups[N3T_GROUP_Topdown_L1].file, "topdown_l1");
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
	KUNIT_CASE(tables_are_complete),
	KUNIT_CASE(specified_metrics_and_groups_come_first),
	KUNIT_CASE(event_numbers_are_unique_and_rising),
	KUNIT_CASE(three_events_cannot_be_counted),
	KUNIT_CASE(known_events_have_the_numbers_of_the_kernel),
	KUNIT_CASE(events_are_found_by_name_and_number),
	KUNIT_CASE(unknown_events_are_not_found),
	KUNIT_CASE(metrics_need_at_most_four_events),
	KUNIT_CASE(every_metric_is_in_a_group),
	KUNIT_CASE(no_group_mixes_specified_and_extra_metrics),
	KUNIT_CASE(metric_and_group_names_are_unique),
	KUNIT_CASE(no_group_takes_the_name_of_another_file),
	KUNIT_CASE(files_are_named_in_lower_case),
	KUNIT_CASE(groups_are_found_by_name_and_by_file_name),
	{}
};

static struct kunit_suite spec_suite = {
	.name = "n3_telemetry_spec",
	.test_cases = spec_cases,
};

kunit_test_suite(spec_suite);
