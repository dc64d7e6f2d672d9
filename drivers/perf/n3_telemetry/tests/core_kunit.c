// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: accepted cores and their slots. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/core.h"
#include "libn3t/formula.h"
#include "libn3t/spec.h"
#include "midr.h"

/* Implementer and part of MIDR_EL1, from the technical reference manuals and Linux */
#define MODEL_N1	0x4100d0c0
#define MODEL_N2	0x4100d490
#define MODEL_AZURE	0x6d00d490
#define MODEL_V1	0x4100d400
#define MODEL_V2	0x4100d4f0
#define MODEL_V3	0x4100d840
#define MODEL_V3AE	0x4100d830
#define MODEL_N3	0x4100d8e0

static void parts_and_words_are_parsed(struct kunit *test)
{
	static const struct {
		const char *text;
		unsigned int nr;
		u32 model[3];
	} rows[] = {
		{ "", 1, { MODEL_N3 } },
		{ "0xd4f", 1, { MODEL_V2 } },
		{ "0XD4F", 1, { MODEL_V2 } },
		{ "v2", 1, { MODEL_V2 } },
		{ "V2,n3", 2, { MODEL_V2, MODEL_N3 } },
		{ " 0xd8e , 0xd49\n", 3, { MODEL_N3, MODEL_N2, MODEL_AZURE } },
		{ "n2", 2, { MODEL_N2, MODEL_AZURE } },
		{ "0xd49,N2", 2, { MODEL_N2, MODEL_AZURE } },
		{ "v3ae v3", 2, { MODEL_V3AE, MODEL_V3 } },
		{ "v2,0xd4f,V2", 1, { MODEL_V2 } },
		{ "0xd4f,", 1, { MODEL_V2 } },
		{ "0x1 0xfff n1", 3, { 0x41000010, 0x4100fff0, MODEL_N1 } },
	};
	struct n3t_cores cores;
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_ASSERT_EQ_MSG(test, n3t_cores_parse(&cores, rows[i].text), 0, "\"%s\"",
				    rows[i].text);
		KUNIT_EXPECT_EQ(test, cores.nr, rows[i].nr);
		for (k = 0; k < cores.nr; k++)
			KUNIT_EXPECT_EQ(test, cores.model[k], rows[i].model[k]);
		KUNIT_EXPECT_EQ(test, cores.found, 0);
	}
}

static void invalid_parts_are_refused(struct kunit *test)
{
	static const char * const rows[] = {
		",", " ", "d4f", "0x", "0xd4g", "0xd4f0", "0x1000", "0x0", "0x000", "3407", "v",
		"v22", "v2;n2", "v2,x", "-0xd4f", "0x-1", "neoverse", "none",
		"0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9", "0x6d49", "n2azure", "v3a",
		/* has two implementers */
		"0x1 0x2 0x3 0x4 0x5 0x6 0x7 n2",
	};
	struct n3t_cores cores;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		KUNIT_EXPECT_EQ_MSG(test, n3t_cores_parse(&cores, rows[i]), -EINVAL, "\"%s\"",
				    rows[i]);
}

static void slots_are_those_of_the_part(struct kunit *test)
{
	static const struct {
		u32 model;
		unsigned int pmmir;
		unsigned int slots;
		unsigned int contradicts;
	} rows[] = {
		{ MODEL_N3, 0, 5, 0 },
		{ MODEL_N3, 5, 5, 0 },
		{ MODEL_N3, 8, 5, 8 },
		{ MODEL_V2, 0, 8, 0 },
		{ MODEL_V2, 8, 8, 0 },
		{ MODEL_V2, 5, 0, 5 },
		{ MODEL_N2, 0, 5, 0 },
		{ MODEL_N2, 5, 5, 0 },
		{ MODEL_N2, 8, 0, 8 },
		{ MODEL_AZURE, 5, 5, 0 },
		{ MODEL_V3, 10, 10, 0 },
		{ MODEL_V3AE, 0, 10, 0 },
		{ MODEL_V1, 8, 0, 0 },
		{ 0x41001230, 0, 0, 0 },
		{ 0x41001230, 6, 0, 0 },
	};
	struct n3t_cores cores;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_ASSERT_EQ(test, n3t_cores_parse(&cores, "n3 v1 v2 v3 v3ae n2 0x123"), 0);
		KUNIT_EXPECT_TRUE(test, n3t_cores_accept(&cores, rows[i].model | 0x1f0002,
							 rows[i].pmmir));
		KUNIT_EXPECT_EQ_MSG(test, cores.slots, rows[i].slots, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, cores.pmmir, rows[i].contradicts, "row %u", i);
		KUNIT_EXPECT_EQ(test, cores.others, rows[i].model != MODEL_N3);
		KUNIT_EXPECT_EQ(test, cores.found, rows[i].model);
	}
}

static void only_named_parts_are_accepted(struct kunit *test)
{
	struct n3t_cores cores;

	KUNIT_ASSERT_EQ(test, n3t_cores_parse(&cores, ""), 0);
	KUNIT_EXPECT_FALSE(test, n3t_cores_accept(&cores, MODEL_V2, 0));
	KUNIT_EXPECT_EQ(test, cores.found, 0);
	KUNIT_EXPECT_TRUE(test, n3t_cores_accept(&cores, MODEL_N3, 0));
	KUNIT_EXPECT_FALSE(test, cores.others);

	KUNIT_ASSERT_EQ(test, n3t_cores_parse(&cores, "v2"), 0);
	KUNIT_EXPECT_FALSE(test, n3t_cores_accept(&cores, MODEL_N3, 0));
	KUNIT_EXPECT_TRUE(test, n3t_cores_accept(&cores, MODEL_V2, 0));
	KUNIT_EXPECT_TRUE(test, cores.others);
}

/* Arm's revisions are not those of other implementers. */
static void only_some_revisions_overcount(struct kunit *test)
{
	static const struct {
		u32 midr;
		bool overcounts;
	} rows[] = {
		{ 0x410fd490, true }, { 0x410fd491, true }, { 0x410fd492, true },
		{ 0x410fd493, false }, { 0x411fd490, false }, { 0x41ffd49f, false },
		{ 0x6d0fd490, true }, { 0x6d0fd493, true }, { 0x6dffd49f, true },
		{ 0x420fd490, false }, { 0x410fd8e0, false }, { 0x410fd4f0, false },
		{ 0x410fd840, false }, { 0x410fd830, false }, { 0x6d0fd8e0, false }, { 0, false },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		KUNIT_EXPECT_EQ_MSG(test, n3t_core_overcounts(rows[i].midr), rows[i].overcounts,
				    "%08x", rows[i].midr);
}

/* Parts and words mean the cores of the table, of any implementer. */
static void implementers_are_distinguished(struct kunit *test)
{
	struct n3t_cores cores;

	KUNIT_ASSERT_EQ(test, n3t_cores_parse(&cores, "0xd49"), 0);
	KUNIT_EXPECT_TRUE(test, n3t_cores_accept(&cores, 0x6d0fd490, 0));
	KUNIT_EXPECT_FALSE(test, n3t_cores_accept(&cores, 0x480fd490, 0));
	KUNIT_EXPECT_PTR_EQ(test, cores.refused, NULL);

	KUNIT_ASSERT_EQ(test, n3t_cores_parse(&cores, "v2"), 0);
	KUNIT_EXPECT_FALSE(test, n3t_cores_accept(&cores, 0x6d0fd490, 0));
	KUNIT_ASSERT_NOT_NULL(test, cores.refused);
	KUNIT_EXPECT_EQ(test, cores.refused->model, (u32)MODEL_AZURE);

	KUNIT_ASSERT_EQ(test, n3t_cores_parse(&cores, "n2"), 0);
	KUNIT_EXPECT_TRUE(test, n3t_cores_accept(&cores, 0x6d0fd490, 0));
	KUNIT_EXPECT_TRUE(test, n3t_cores_accept(&cores, 0x410fd493, 0));
	KUNIT_EXPECT_FALSE(test, n3t_cores_accept(&cores, 0x480fd490, 0));
	KUNIT_EXPECT_PTR_EQ(test, cores.refused, NULL);
	KUNIT_EXPECT_EQ(test, cores.slots, 5u);
	KUNIT_EXPECT_TRUE(test, cores.lower_bound);
}

/* Those whose public list of events lacks STALL_FRONTEND_FLUSH. */
static void cores_without_flush_have_a_lower_bound(struct kunit *test)
{
	static const struct {
		u32 model;
		bool lower_bound;
	} rows[] = {
		{ MODEL_N2, true }, { MODEL_AZURE, true }, { MODEL_V2, true },
		{ MODEL_N3, false }, { MODEL_V3, false }, { MODEL_V3AE, false },
	};
	struct n3t_cores cores;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_ASSERT_EQ(test, n3t_cores_parse(&cores, "n3 v2 v3 v3ae n2"), 0);
		KUNIT_EXPECT_TRUE(test, n3t_cores_accept(&cores, rows[i].model, 0));
		KUNIT_EXPECT_EQ_MSG(test, cores.lower_bound, rows[i].lower_bound, "%08x",
				    rows[i].model);
		KUNIT_EXPECT_EQ_MSG(test, *n3t_cores_bounds(&cores) != '\0', rows[i].lower_bound,
				    "%08x", rows[i].model);
	}
}

static void different_slots_are_unknown(struct kunit *test)
{
	struct n3t_cores cores;

	KUNIT_ASSERT_EQ(test, n3t_cores_parse(&cores, "v2,n3"), 0);
	KUNIT_EXPECT_TRUE(test, n3t_cores_accept(&cores, MODEL_N3, 0));
	KUNIT_EXPECT_TRUE(test, n3t_cores_accept(&cores, MODEL_V2, 0));
	KUNIT_EXPECT_EQ(test, cores.slots, 0u);
	KUNIT_EXPECT_TRUE(test, cores.lower_bound);
	KUNIT_EXPECT_STREQ(test, n3t_cores_bounds(&cores), "");
	KUNIT_EXPECT_EQ(test, cores.found, MODEL_V2);
	KUNIT_EXPECT_TRUE(test, n3t_cores_accept(&cores, MODEL_N3, 0));
	KUNIT_EXPECT_EQ(test, cores.slots, 0u);
	KUNIT_EXPECT_EQ(test, cores.found, MODEL_V2);
	/* any slots are accepted if they are unknown already */
	cores.settled = true;
	KUNIT_EXPECT_TRUE(test, n3t_cores_accept(&cores, MODEL_N3, 0));
}

/* For a CPU that comes online later. */
static void settled_cores_do_not_change(struct kunit *test)
{
	struct n3t_cores cores;

	KUNIT_ASSERT_EQ(test, n3t_cores_parse(&cores, "v2,n3"), 0);
	KUNIT_EXPECT_TRUE(test, n3t_cores_accept(&cores, MODEL_N3, 0));
	cores.settled = true;
	KUNIT_EXPECT_FALSE(test, n3t_cores_accept(&cores, MODEL_V2, 0));
	KUNIT_EXPECT_TRUE(test, n3t_cores_accept(&cores, MODEL_N3, 0));
	KUNIT_EXPECT_FALSE(test, cores.others);
	KUNIT_EXPECT_EQ(test, cores.slots, 5u);

	KUNIT_ASSERT_EQ(test, n3t_cores_parse(&cores, "v2,n3"), 0);
	KUNIT_EXPECT_TRUE(test, n3t_cores_accept(&cores, MODEL_V2, 0));
	cores.settled = true;
	KUNIT_EXPECT_FALSE(test, n3t_cores_accept(&cores, MODEL_N3, 0));
	KUNIT_EXPECT_EQ(test, cores.slots, 8u);
}

/* Selected by name, the converse of the table of number ranges. */
static void events_specific_to_the_n3_are_not_common(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < N3T_NR_EVENTS; i++)
		KUNIT_EXPECT_EQ_MSG(test, n3t_event_is_common(n3t_events[i].code),
				    strncmp(n3t_events[i].name, "IMP_", 4) != 0, "%s",
				    n3t_events[i].name);
	KUNIT_EXPECT_FALSE(test, n3t_event_is_common(0x00c0));
	KUNIT_EXPECT_FALSE(test, n3t_event_is_common(0x3fff));
	KUNIT_EXPECT_FALSE(test, n3t_event_is_common(0x40c0));
	KUNIT_EXPECT_FALSE(test, n3t_event_is_common(0x7fff));
	KUNIT_EXPECT_FALSE(test, n3t_event_is_common(0xc000));
}

static bool uses_slots(const char *name)
{
	static const char * const names[] = {
		"backend_bound", "bad_speculation", "frontend_bound", "retiring",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static void only_topdown_l1_depends_on_slots(struct kunit *test)
{
	struct n3t_formula formula;
	unsigned int i;

	for (i = 0; i < N3T_NR_METRICS; i++) {
		KUNIT_ASSERT_EQ(test, n3t_formula_parse(n3t_metrics[i].formula, &formula), 0);
		KUNIT_EXPECT_EQ_MSG(test, n3t_formula_set_slots(&formula, 8),
				    uses_slots(n3t_metrics[i].name), "%s", n3t_metrics[i].name);
	}
}

static void numbers_are_not_slots(struct kunit *test)
{
	static const char * const rows[] = {
		"STALL_SLOT / (5 * CPU_CYCLES)", "STALL_SLOT / (CPU_CYCLES * 5)", "5",
	};
	struct n3t_formula formula;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_ASSERT_EQ(test, n3t_formula_parse(rows[i], &formula), 0);
		KUNIT_EXPECT_FALSE_MSG(test, n3t_formula_set_slots(&formula, 8), "%s", rows[i]);
	}
}

/* 800 slots in 100 cycles: 200 of them stalled by the backend are a quarter. */
static void formulas_use_the_slots_of_the_core(struct kunit *test)
{
	static const struct {
		enum n3t_metric metric;
		const char *value;
	} rows[] = {
		{ N3T_METRIC_backend_bound, "25.0000" },	/* 200 / 800 */
		{ N3T_METRIC_frontend_bound, "48.0000" },	/* 400 / 800 - 2 / 100 */
		{ N3T_METRIC_bad_speculation, "14.5000" },	/* 1/4 x 1/2 + 2 / 100 */
		{ N3T_METRIC_retiring, "12.5000" },		/* 1/4 x 1/2 */
	};
	static const struct n3t_counts counts = {
		.cycles = 100, .nr = 6,
		.code = { N3T_CODE_STALL_SLOT_BACKEND, N3T_CODE_STALL_SLOT_FRONTEND,
			  N3T_CODE_STALL_SLOT, N3T_CODE_STALL_FRONTEND_FLUSH,
			  N3T_CODE_OP_RETIRED, N3T_CODE_OP_SPEC },
		.count = { 200, 400, 600, 2, 30, 60 },
	};
	struct n3t_formula formula;
	struct n3t_ratio value;
	unsigned int i;
	char text[64];

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_ASSERT_EQ(test, n3t_formula_parse(n3t_metrics[rows[i].metric].formula,
							&formula), 0);
		KUNIT_EXPECT_TRUE(test, n3t_formula_set_slots(&formula, 8));
		KUNIT_ASSERT_EQ(test, n3t_formula_eval(&formula, &counts, &value), N3T_VALUE);
		n3t_ratio_print(text, sizeof(text), &value, 4);
		KUNIT_EXPECT_STREQ_MSG(test, text, rows[i].value, "%s",
				       n3t_metrics[rows[i].metric].name);
	}
}

/* MDCR_EL2.HPMN is bits 4:0, PMCR_EL0.N bits 15:11. */
static void counters_of_guests_are_those_below_hpmn(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, n3t_guest_counters(6, 6 << 11), 0);
	KUNIT_EXPECT_EQ(test, n3t_guest_counters(4, 6 << 11), 4);
	KUNIT_EXPECT_EQ(test, n3t_guest_counters(0, 6 << 11), 0);
	KUNIT_EXPECT_EQ(test, n3t_guest_counters(31, 31 << 11), 0);
	KUNIT_EXPECT_EQ(test, n3t_guest_counters(30, 31 << 11), 30);
	/* with HPME, TPM, TPMCR and all other bits set */
	KUNIT_EXPECT_EQ(test, n3t_guest_counters(0xffffffe4ull, 0x41d83041ull), 4);
}

static struct kunit_case core_cases[] = {
	KUNIT_CASE(parts_and_words_are_parsed),
	KUNIT_CASE(invalid_parts_are_refused),
	KUNIT_CASE(slots_are_those_of_the_part),
	KUNIT_CASE(only_named_parts_are_accepted),
	KUNIT_CASE(only_some_revisions_overcount),
	KUNIT_CASE(implementers_are_distinguished),
	KUNIT_CASE(cores_without_flush_have_a_lower_bound),
	KUNIT_CASE(different_slots_are_unknown),
	KUNIT_CASE(settled_cores_do_not_change),
	KUNIT_CASE(events_specific_to_the_n3_are_not_common),
	KUNIT_CASE(only_topdown_l1_depends_on_slots),
	KUNIT_CASE(numbers_are_not_slots),
	KUNIT_CASE(formulas_use_the_slots_of_the_core),
	KUNIT_CASE(counters_of_guests_are_those_below_hpmn),
	{}
};

static struct kunit_suite core_suite = {
	.name = "n3_telemetry_core",
	.test_cases = core_cases,
};

kunit_test_suite(core_suite);
