// SPDX-License-Identifier: GPL-2.0
/* KUnit: parsing and printing of settings. */
#include <linux/bitmap.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <kunit/test.h>

#include "config.h"
#include "libn3t/spec.h"
#include "settings.h"

#define LONG_TEXT	3000

struct fixture {
	struct n3t_config config;
	struct n3t_settings before;
	char *page;		/* sysfs_emit() requires a whole page */
};

static int settings_init(struct kunit *test)
{
	struct fixture *f = kunit_kzalloc(test, sizeof(*f), GFP_KERNEL);

	test->priv = f;
	if (!f)
		return -ENOMEM;
	f->page = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	return f->page ? 0 : -ENOMEM;
}

static const struct n3t_setting *setting_of(struct kunit *test, const char *name)
{
	struct attribute **attr;

	for (attr = n3t_settings_group.attrs; *attr; attr++)
		if (!strcmp((*attr)->name, name))
			break;
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, *attr);
	return container_of(*attr, struct n3t_setting, attr.attr);
}

static int parse(struct kunit *test, const char *name, const char *text)
{
	struct fixture *f = test->priv;

	return setting_of(test, name)->parse(&f->config.settings, text);
}

static void expect_shown(struct kunit *test, const char *name, const char *expected)
{
	struct fixture *f = test->priv;
	int length;

	length = setting_of(test, name)->show(&f->config, f->page);
	KUNIT_EXPECT_EQ(test, length, (int)strlen(f->page));
	KUNIT_EXPECT_STREQ_MSG(test, f->page, expected, "%s", name);
}

static void expect_refused(struct kunit *test, const char *name, const char * const *texts,
			   unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		KUNIT_EXPECT_EQ_MSG(test, parse(test, name, texts[i]), -EINVAL, "%s: '%s'", name,
				    texts[i]);
}

static void every_setting_is_a_file_of_its_own(struct kunit *test)
{
	static const char * const names[] = {
		"enable", "slice_ms", "window_ms", "groups", "custom", "cpus", "contention",
		"reserved_counters", "max_cost", "anchors", "distrust", "replicates",
		"container_pieces", "switch",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		KUNIT_EXPECT_EQ_MSG(test, setting_of(test, names[i])->attr.attr.mode, 0644, "%s",
				    names[i]);
	for (i = 0; n3t_settings_group.attrs[i]; i++)
		;
	KUNIT_EXPECT_EQ(test, i, (unsigned int)ARRAY_SIZE(names));
}

static const struct {
	const char *name;
	unsigned int min;
	unsigned int max;
} numbers[] = {
	{ "enable", 0, 1 },
	{ "slice_ms", 4, 1000 },
	{ "max_cost", 0, 1000000 },
	{ "window_ms", 1, 10000 },
	{ "reserved_counters", 0, 31 },
	{ "replicates", 0, 1 },
};

static void expect_number(struct kunit *test, const char *name, unsigned int value, bool good)
{
	char text[16];

	snprintf(text, sizeof(text), "%u\n", value);
	KUNIT_EXPECT_EQ_MSG(test, parse(test, name, text), good ? 0 : -EINVAL, "%s %u", name,
			    value);
	if (good)
		expect_shown(test, name, text);
}

static void numbers_out_of_range_are_refused(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		expect_number(test, numbers[i].name, numbers[i].max, true);
		expect_number(test, numbers[i].name, numbers[i].max - 1, true);
		expect_number(test, numbers[i].name, numbers[i].max + 1, false);
		expect_number(test, numbers[i].name, numbers[i].min, true);
		expect_number(test, numbers[i].name, numbers[i].min + 1, true);
		/* UINT_MAX if 0 is allowed. */
		expect_number(test, numbers[i].name, numbers[i].min - 1, false);
	}
}

/* 0 is not next to the others. */
static void container_pieces_are_none_or_some(struct kunit *test)
{
	static const unsigned int good[] = { 10, 125, 1000, 0 }, bad[] = { 1, 9, 1001, UINT_MAX };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		expect_number(test, "container_pieces", good[i], true);
		expect_number(test, "container_pieces", bad[i], false);
	}
}

static void anything_but_one_decimal_integer_is_refused(struct kunit *test)
{
	static const char * const bad[] = {
		"", "\n", " ", "-1", "-5", "x", "1x", "x1", "0x5", "5.0", "1.", "1e1", "5 5", "5,",
		"5;", " 5", "5 ", "\t5", "5\n5", "5\n\n", "--5", "+", "on", "4294967301",
		"18446744073709551621", "99999999999999999999999999",
	};
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		f->before = f->config.settings;
		expect_refused(test, numbers[i].name, bad, ARRAY_SIZE(bad));
		KUNIT_EXPECT_EQ_MSG(test, memcmp(&f->before, &f->config.settings,
						 sizeof(f->before)), 0,
				    "%s: a refused text changed it", numbers[i].name);
	}
}

static void each_number_changes_its_own_setting(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct n3t_settings *settings = &f->config.settings;

	KUNIT_EXPECT_EQ(test, parse(test, "enable", "1"), 0);
	KUNIT_EXPECT_EQ(test, parse(test, "slice_ms", "25\n"), 0);
	KUNIT_EXPECT_EQ(test, parse(test, "window_ms", "3000"), 0);
	KUNIT_EXPECT_EQ(test, parse(test, "reserved_counters", "2"), 0);
	KUNIT_EXPECT_TRUE(test, settings->enable);
	KUNIT_EXPECT_EQ(test, settings->slice_ms, 25u);
	KUNIT_EXPECT_EQ(test, settings->window_ms, 3000u);
	KUNIT_EXPECT_EQ(test, settings->reserved_counters, 2u);
	KUNIT_EXPECT_EQ(test, parse(test, "enable", "0\n"), 0);
	KUNIT_EXPECT_FALSE(test, settings->enable);
}

static void contention_accepts_yield_and_share_only(struct kunit *test)
{
	static const char * const bad[] = {
		"", "\n", "yiel", "yields", "yield ", " yield", "yield share", "share,yield",
		"none", "0", "1",
	};
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, parse(test, "contention", "share\n"), 0);
	KUNIT_EXPECT_EQ(test, f->config.settings.contention, N3T_CONTENTION_SHARE);
	expect_shown(test, "contention", "share\n");
	expect_refused(test, "contention", bad, ARRAY_SIZE(bad));
	KUNIT_EXPECT_EQ(test, f->config.settings.contention, N3T_CONTENTION_SHARE);
	KUNIT_EXPECT_EQ(test, parse(test, "contention", "yield"), 0);
	KUNIT_EXPECT_EQ(test, f->config.settings.contention, N3T_CONTENTION_YIELD);
	expect_shown(test, "contention", "yield\n");
}

static void switch_accepts_its_three_words_only(struct kunit *test)
{
	static const char * const bad[] = {
		"", "\n", "Auto", "direct", "direct\n", " perf", "in place", "in_place",
		"auto,perf", "unknown", "0", "3",
	};
	struct fixture *f = test->priv;

	KUNIT_EXPECT_EQ(test, f->config.settings.switching, N3T_SWITCH_AUTO);
	KUNIT_EXPECT_EQ(test, parse(test, "switch", "perf\n"), 0);
	KUNIT_EXPECT_EQ(test, f->config.settings.switching, N3T_SWITCH_PERF);
	expect_shown(test, "switch", "perf\n");
	KUNIT_EXPECT_EQ(test, parse(test, "switch", "in-place\n"), 0);
	expect_refused(test, "switch", bad, ARRAY_SIZE(bad));
	KUNIT_EXPECT_EQ(test, f->config.settings.switching, N3T_SWITCH_IN_PLACE);
	expect_shown(test, "switch", "in-place\n");
	KUNIT_EXPECT_EQ(test, parse(test, "switch", "auto"), 0);
	KUNIT_EXPECT_EQ(test, f->config.settings.switching, N3T_SWITCH_AUTO);
	expect_shown(test, "switch", "auto\n");
}

static void expect_groups(struct kunit *test, const char *text, const unsigned long *expected)
{
	struct fixture *f = test->priv;

	/* Replaces an earlier choice. */
	bitmap_fill(f->config.settings.groups, N3T_NR_GROUPS);
	KUNIT_EXPECT_EQ_MSG(test, parse(test, "groups", text), 0, "'%s'", text);
	KUNIT_EXPECT_TRUE_MSG(test, bitmap_equal(f->config.settings.groups, expected,
						 N3T_NR_GROUPS), "'%s'", text);
}

static void groups_are_accepted_by_name(struct kunit *test)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS) = { 0 };
	unsigned int i;

	__set_bit(N3T_GROUP_Topdown_L1, groups);
	expect_groups(test, "topdown_l1", groups);
	expect_groups(test, "Topdown_L1\n", groups);
	expect_groups(test, ", topdown_l1,\ttopdown_l1 ,,\n", groups);
	expect_shown(test, "groups", "topdown_l1\n");
	__set_bit(N3T_GROUP_CHI_Busy, groups);
	expect_groups(test, "chi_busy,topdown_l1", groups);
	expect_groups(test, "topdown_l1 CHI_BUSY\n", groups);
	expect_shown(test, "groups", "topdown_l1 chi_busy\n");

	for (i = 0; i < N3T_NR_GROUPS; i++) {
		bitmap_zero(groups, N3T_NR_GROUPS);
		__set_bit(i, groups);
		expect_groups(test, n3t_groups[i].file, groups);
		expect_groups(test, n3t_groups[i].name, groups);
	}
}

/* "all" means the specification's groups; those beyond it are chosen by name. */
static void all_means_the_groups_of_the_specification(struct kunit *test)
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS) = { 0 };
	struct fixture *f = test->priv;
	unsigned int i;

	for (i = 0; i < N3T_NR_GROUPS; i++)
		if (n3t_groups[i].stage)
			__set_bit(i, groups);
	KUNIT_EXPECT_EQ(test, bitmap_weight(groups, N3T_NR_GROUPS), 18);
	expect_groups(test, "all", groups);
	expect_groups(test, "all\n", groups);
	expect_groups(test, "general all", groups);
	__set_bit(N3T_GROUP_Memory_Traffic, groups);
	expect_groups(test, "all memory_traffic", groups);
	expect_groups(test, "memory_traffic,all", groups);

	/* The text shown can be written back. */
	expect_shown(test, "groups",
		     "topdown_l1 topdown_frontend topdown_backend cycle_accounting general mpki "
		     "miss_ratio sve_effectiveness fp_arithmetic_intensity fp_precision_mix "
		     "branch_effectiveness itlb_effectiveness dtlb_effectiveness "
		     "l1i_cache_effectiveness l1d_cache_effectiveness l2_cache_effectiveness "
		     "ll_cache_effectiveness operation_mix memory_traffic\n");
	expect_groups(test, f->page, groups);
}

static void unknown_groups_are_refused(struct kunit *test)
{
	static const char * const bad[] = {
		"", "\n", " ", ",", " ,\t\n", "topdown", "topdown_l12", "topdown_l1 nonsense",
		"nonsense topdown_l1", "topdown_l1;general", "status", "custom", "none", "ALL",
		"-1", "0", "topdown_l1\vgeneral",
	};

	expect_refused(test, "groups", bad, ARRAY_SIZE(bad));
}

static void expect_codes(struct kunit *test, const char *name, const char *text, const u16 *codes,
			 unsigned int nr)
{
	struct n3t_settings *settings = &((struct fixture *)test->priv)->config.settings;
	struct n3t_anchors *anchors = &settings->anchors;
	bool custom = !strcmp(name, "custom");

	/* Replaces an earlier choice. */
	settings->nr_custom = 3;
	*anchors = (struct n3t_anchors){ .automatic = true, .nr = 3, .code = { 1, 2, 3 } };
	KUNIT_EXPECT_EQ_MSG(test, parse(test, name, text), 0, "%s: '%s'", name, text);
	KUNIT_EXPECT_EQ_MSG(test, anchors->automatic, custom, "%s: '%s'", name, text);
	KUNIT_ASSERT_EQ_MSG(test, custom ? settings->nr_custom : anchors->nr, nr, "%s: '%s'", name,
			    text);
	KUNIT_EXPECT_EQ_MSG(test, memcmp(custom ? settings->custom : anchors->code, codes,
					 nr * sizeof(*codes)), 0, "%s: '%s'", name, text);
}

/* Settings that are lists of events. */
static const char * const lists[] = { "custom", "anchors" };

/* MEM_ACCESS is 0x13, BUS_ACCESS 0x19, IMP_L2_CHI_CBUSY3 0x19b. */
static void events_are_accepted_by_name_and_number(struct kunit *test)
{
	static const char * const one[] = {
		"MEM_ACCESS", "mem_access\n", "0x13", "0x0013", "0X13", "0X0013",
	};
	static const char * const four[] = {
		"MEM_ACCESS,BUS_ACCESS,IMP_L2_CHI_CBUSY3,0xC0DE",
		" 0x13\tbus_access imp_l2_chi_rx_cbusy_3,,0xc0de\n",
		"MEM_ACCESS BUS_ACCESS IMP_L2_CHI_CBUSY3 0xc0de\n",
	};
	static const u16 codes[] = { 0x13, 0x19, 0x19b, 0xc0de };
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		for (k = 0; k < ARRAY_SIZE(one); k++)
			expect_codes(test, lists[i], one[k], codes, 1);
		expect_shown(test, lists[i], "MEM_ACCESS\n");
		for (k = 0; k < ARRAY_SIZE(four); k++)
			expect_codes(test, lists[i], four[k], codes, 4);
		expect_shown(test, lists[i], four[2]);
	}
}

static void duplicate_events_and_cycles_are_dropped(struct kunit *test)
{
	static const u16 codes[] = { 0x19, 0x13, 0x8, 0x1b };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		expect_codes(test, lists[i], "BUS_ACCESS MEM_ACCESS 0x0013 mem_access BUS_ACCESS",
			     codes, 2);
		/* Part of every set anyway. */
		expect_codes(test, lists[i], "BUS_ACCESS CPU_CYCLES MEM_ACCESS 0x11", codes, 2);
		expect_codes(test, lists[i], "cpu_cycles", codes, 0);
		expect_codes(test, lists[i], "none", codes, 0);
		expect_codes(test, lists[i], "none\n", codes, 0);
		expect_shown(test, lists[i], "none\n");
	}
	/* Dropped events do not count. */
	expect_codes(test, "anchors", "0x19 0x13 0x8 0x1b 0x11 0x13 MEM_ACCESS", codes, 4);
}

/* No more than any PMU has counters. */
static void more_than_31_custom_events_are_refused(struct kunit *test)
{
	char *text = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	u16 codes[N3T_MAX_COUNTERS];
	unsigned int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, text);
	for (i = 0; i < N3T_MAX_COUNTERS; i++) {
		codes[i] = 0xff00 + i;
		snprintf(text + strlen(text), 8, "0x%04x ", codes[i]);
	}
	expect_codes(test, "custom", text, codes, N3T_MAX_COUNTERS);
	/* A repeated event does not count. */
	strcat(text, "0xff07 ");
	expect_codes(test, "custom", text, codes, N3T_MAX_COUNTERS);
	strcat(text, "MEM_ACCESS");
	KUNIT_EXPECT_EQ(test, parse(test, "custom", text), -EINVAL);
}

static void events_that_cannot_be_counted_are_refused(struct kunit *test)
{
	static const char * const bad[] = {
		"", "\n", " ", ", ", "nonsense", "MEM_ACCES", "STALL_SLOT_BACKEN",
		"MEM_ACCESS nonsense", "nonsense 0x13", "MEM_ACCESS;BUS_ACCESS", "CHAIN", "chain",
		"0x1e", "PMU_OVFS", "PMU_HOVFS", "0x10000", "-1", "0x", "0x0x13", "0x-13", "r13",
		"all",
		/* Only 0x distinguishes numbers from names. */
		"8", "13", "19", "c0de",
	};
	static const char * const bad_anchors[] = {
		"automatic", "AUTO", "auto MEM_ACCESS", "MEM_ACCESS auto", "auto auto", "auto,",
		/* one too many */
		"0x13 0x8 0x19 0x1b 0x3a", "0xff01,0xff02,0xff03,0xff04,0xff05",
	};
	/* not in the table */
	static const char * const bad_distrust[] = {
		"auto", "NONE", "0xc0de", "MEM_ACCESS 0xffff",
	};

	expect_refused(test, "custom", bad, ARRAY_SIZE(bad));
	expect_refused(test, "anchors", bad, ARRAY_SIZE(bad));
	expect_refused(test, "anchors", bad_anchors, ARRAY_SIZE(bad_anchors));
	expect_refused(test, "distrust", bad, ARRAY_SIZE(bad));
	expect_refused(test, "distrust", bad_distrust, ARRAY_SIZE(bad_distrust));
}

static void anchors_may_be_automatic(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct n3t_anchors *anchors = &f->config.settings.anchors;

	anchors->nr = 3;
	KUNIT_EXPECT_EQ(test, parse(test, "anchors", "auto"), 0);
	KUNIT_EXPECT_TRUE(test, anchors->automatic);
	KUNIT_EXPECT_EQ(test, anchors->nr, 0u);
	expect_shown(test, "anchors", "auto\n");
	KUNIT_EXPECT_EQ(test, parse(test, "anchors", "none"), 0);
	KUNIT_EXPECT_FALSE(test, anchors->automatic);
	KUNIT_EXPECT_EQ(test, parse(test, "anchors", "auto\n"), 0);
	KUNIT_EXPECT_TRUE(test, anchors->automatic);
}

static const struct distrust_row {
	const char *text;
	const char *shown;
} distrust_rows[] = {
	{ "none", "none\n" },
	{ "none\n", "none\n" },
	{ "MEM_ACCESS", "MEM_ACCESS\n" },
	{ "mem_access\n", "MEM_ACCESS\n" },
	{ "0X0013", "MEM_ACCESS\n" },
	/* in the table's order, without duplicates */
	{ "0x13 inst_retired,MEM_ACCESS,, 0x8\tmem_access\n", "INST_RETIRED MEM_ACCESS\n" },
	{ "cpu_cycles", "CPU_CYCLES\n" },
	{ "imp_l2_chi_rx_cbusy_3", "IMP_L2_CHI_CBUSY3\n" },
	{ "none STALL_SLOT", "STALL_SLOT\n" },
};

static void describe_distrust(const struct distrust_row *row, char *text)
{
	snprintf(text, KUNIT_PARAM_DESC_SIZE, "%s", row->shown);
	text[strcspn(text, "\n")] = '\0';
}

KUNIT_ARRAY_PARAM(distrust_row, distrust_rows, describe_distrust);

static void distrust_takes_names_and_numbers(struct kunit *test)
{
	const struct distrust_row *row = test->param_value;
	struct fixture *f = test->priv;

	/* Replaces an earlier choice. */
	__set_bit(N3T_EVENT_BUS_ACCESS, f->config.settings.distrust);
	KUNIT_EXPECT_EQ(test, parse(test, "distrust", row->text), 0);
	expect_shown(test, "distrust", row->shown);
}

/* A page holds all names, both shown and written. */
static void distrust_takes_all_events(struct kunit *test)
{
	struct fixture *f = test->priv;
	unsigned int event, all = 0;
	char *text;

	for (event = 0; event < N3T_NR_EVENTS; event++) {
		if (!n3t_events[event].countable)
			continue;
		__set_bit(event, f->config.settings.distrust);
		all++;
	}
	setting_of(test, "distrust")->show(&f->config, f->page);
	text = kstrdup(f->page, GFP_KERNEL);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, text);
	bitmap_zero(f->config.settings.distrust, N3T_NR_EVENTS);
	KUNIT_EXPECT_EQ(test, parse(test, "distrust", text), 0);
	KUNIT_EXPECT_EQ(test, (unsigned int)bitmap_weight(f->config.settings.distrust,
							  N3T_NR_EVENTS), all);
	expect_shown(test, "distrust", text);
	kfree(text);
}

static void cpu_lists_are_accepted(struct kunit *test)
{
	struct fixture *f = test->priv;
	struct cpumask *cpus = &f->config.settings.cpus;
	unsigned int first = cpumask_first(cpu_possible_mask);
	unsigned int cpu, nr = 0;
	char text[32];

	snprintf(text, sizeof(text), "%u\n", first);
	cpumask_setall(cpus);
	KUNIT_EXPECT_EQ(test, parse(test, "cpus", text), 0);
	KUNIT_EXPECT_TRUE(test, cpumask_equal(cpus, cpumask_of(first)));
	expect_shown(test, "cpus", text);
	snprintf(text, sizeof(text), "%u-%u,%u", first, first, first);
	KUNIT_EXPECT_EQ(test, parse(test, "cpus", text), 0);
	KUNIT_EXPECT_TRUE(test, cpumask_equal(cpus, cpumask_of(first)));

	/* All possible CPUs, online or not. */
	cpumap_print_to_pagebuf(true, f->page, cpu_possible_mask);
	KUNIT_EXPECT_EQ(test, parse(test, "cpus", f->page), 0);
	KUNIT_EXPECT_TRUE(test, cpumask_equal(cpus, cpu_possible_mask));
	for_each_cpu(cpu, cpus)
		nr++;
	KUNIT_EXPECT_EQ(test, nr, num_possible_cpus());

	/* The test kernel has no isolated CPUs. */
	KUNIT_EXPECT_EQ(test, parse(test, "cpus", "all\n"), 0);
	KUNIT_EXPECT_TRUE(test, cpumask_empty(cpus));
	cpumap_print_to_pagebuf(true, text, cpu_possible_mask);
	expect_shown(test, "cpus", text);
}

static void impossible_cpus_are_refused(struct kunit *test)
{
	static const char * const bad[] = {
		"", "\n", " ", ",", "x", "-1", "0-", "1-0", "0-x", "0 x", "0x1", "none",
		"99999", "0,99999", "0-99999", "4294967296", "18446744073709551616",
	};
	char beyond[16];

	expect_refused(test, "cpus", bad, ARRAY_SIZE(bad));
	/* The first CPU that is not possible. */
	snprintf(beyond, sizeof(beyond), "%u", cpumask_last(cpu_possible_mask) + 1);
	KUNIT_EXPECT_EQ(test, parse(test, "cpus", beyond), -EINVAL);
}

/* Of any length that sysfs accepts. */
static void long_invalid_texts_are_refused(struct kunit *test)
{
	static const char letters[] = { '9', ',', 'x', '-', ' ', '\n', '\xff' };
	char *text = kunit_kzalloc(test, LONG_TEXT + 1, GFP_KERNEL);
	struct attribute **attr;
	unsigned int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, text);
	for (i = 0; i < ARRAY_SIZE(letters); i++) {
		memset(text, letters[i], LONG_TEXT);
		for (attr = n3t_settings_group.attrs; *attr; attr++)
			KUNIT_EXPECT_EQ_MSG(test, parse(test, (*attr)->name, text), -EINVAL,
					    "%s: %d", (*attr)->name, letters[i]);
	}
	for (i = 0; i < LONG_TEXT; i += 8)
		memcpy(text + i, "general ", 8);
	KUNIT_EXPECT_EQ(test, parse(test, "groups", text), 0);
	expect_shown(test, "groups", "general\n");
}

static struct kunit_case settings_cases[] = {
	KUNIT_CASE(every_setting_is_a_file_of_its_own),
	KUNIT_CASE(numbers_out_of_range_are_refused),
	KUNIT_CASE(container_pieces_are_none_or_some),
	KUNIT_CASE(anything_but_one_decimal_integer_is_refused),
	KUNIT_CASE(each_number_changes_its_own_setting),
	KUNIT_CASE(contention_accepts_yield_and_share_only),
	KUNIT_CASE(switch_accepts_its_three_words_only),
	KUNIT_CASE(groups_are_accepted_by_name),
	KUNIT_CASE(all_means_the_groups_of_the_specification),
	KUNIT_CASE(unknown_groups_are_refused),
	KUNIT_CASE(events_are_accepted_by_name_and_number),
	KUNIT_CASE(duplicate_events_and_cycles_are_dropped),
	KUNIT_CASE(more_than_31_custom_events_are_refused),
	KUNIT_CASE(events_that_cannot_be_counted_are_refused),
	KUNIT_CASE(anchors_may_be_automatic),
	KUNIT_CASE_PARAM(distrust_takes_names_and_numbers, distrust_row_gen_params),
	KUNIT_CASE(distrust_takes_all_events),
	KUNIT_CASE(cpu_lists_are_accepted),
	KUNIT_CASE(impossible_cpus_are_refused),
	KUNIT_CASE(long_invalid_texts_are_refused),
	{}
};

static struct kunit_suite settings_suite = {
	.name = "n3_telemetry_settings",
	.init = settings_init,
	.test_cases = settings_cases,
};

kunit_test_suite(settings_suite);
