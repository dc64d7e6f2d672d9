// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * KUnit: words about events, metrics and groups, and what follows from formulas.
 *
 * Comparison of each row with the specification is in selftests/user/spec_test.py.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/formula.h"
#include "libn3t/spec.h"
#include "libn3telemetry/stats/parts.h"
#include "libn3telemetry/stats/spec_words.h"

/* Arm's Neoverse N3 Core Telemetry Specification (109530, issue 01), section 4 */
#define COMMON_EVENTS		202
#define PRODUCT_EVENTS		12
#define DEBUG_EVENTS		10	/* of later event data */

static void every_row_has_words(struct kunit *test)
{
	unsigned int common = 0, product = 0, debug = 0, i;

	for (i = 0; i < N3T_NR_EVENTS; i++) {
		KUNIT_ASSERT_TRUE(test, n3t_event_words[i].functional);
		switch (n3t_event_words[i].class) {
		case N3T_CLASS_COMMON_ARCH:
		case N3T_CLASS_COMMON_IMPDEF:
			common++;
			break;
		case N3T_CLASS_PRODUCT_IMPDEF:
			product++;
			break;
		default:
			debug++;
		}
	}
	KUNIT_EXPECT_EQ(test, common, COMMON_EVENTS);
	KUNIT_EXPECT_EQ(test, product, PRODUCT_EVENTS);
	KUNIT_EXPECT_EQ(test, debug, DEBUG_EVENTS);
	for (i = 0; i < N3T_NR_GROUPS; i++)
		KUNIT_EXPECT_TRUE(test, n3t_group_titles[i]);
}

/* Rates per kilo instruction have the magnitude of MPKI. */
static bool has_four_decimals(const char *unit)
{
	return !strncmp(unit, "percent", 7) || !strcmp(unit, "MPKI") ||
	       !strcmp(unit, "per kilo instruction");
}

static void percentages_and_mpki_have_four_decimals(struct kunit *test)
{
	const struct n3t_metric_info *metric;
	unsigned int i;

	for (i = 0; i < N3T_NR_METRICS; i++) {
		metric = &n3t_metrics[i];
		KUNIT_EXPECT_EQ_MSG(test, metric->decimals, has_four_decimals(n3t_metric_units[i]) ?
				    4 : 6, "metric %s", metric->name);
	}
}

static void the_text_of_a_formula_is_that_of_the_specification(struct kunit *test)
{
	static const struct {
		enum n3t_metric metric;
		const char *text;
	} rows[] = {
		{ N3T_METRIC_backend_bound, "STALL_SLOT_BACKEND / (5 * CPU_CYCLES) * 100" },
		{ N3T_METRIC_retiring,
		  "(1 - STALL_SLOT / (CPU_CYCLES * 5)) * (OP_RETIRED / OP_SPEC) * 100" },
		{ N3T_METRIC_ipc, "INST_RETIRED / CPU_CYCLES" },
	};
	char text[N3T_FORMULA_SIZE];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_EXPECT_EQ(test, n3t_formula_text(rows[i].metric, text, sizeof(text)),
				strlen(rows[i].text));
		KUNIT_EXPECT_STREQ(test, text, rows[i].text);
	}
	for (i = 0; i < N3T_NR_METRICS; i++) {
		KUNIT_EXPECT_LT_MSG(test, n3t_formula_text(i, text, sizeof(text)),
				    sizeof(text) - 1, "%s", n3t_metrics[i].name);
		KUNIT_EXPECT_FALSE_MSG(test, strstr(text, "SLOTS"), "%s", n3t_metrics[i].name);
	}
}

/* The specification's formulas, by the shape of their numerators. */
static void parts_follow_from_the_formulas(struct kunit *test)
{
	unsigned int metric, expected;

	for (metric = 0; metric < N3T_NR_METRICS; metric++) {
		switch (metric) {
		case N3T_METRIC_frontend_bound:
		case N3T_METRIC_backend_bound:
		case N3T_METRIC_bad_speculation:
		case N3T_METRIC_retiring:
		case N3T_METRIC_ll_cache_read_hit_ratio:
			expected = 0;
			break;
		case N3T_METRIC_integer_dp_percentage:
			expected = 1 << N3T_NUMERATOR | 1 << N3T_DENOMINATOR | 1 << N3T_SUBTRAHEND;
			break;
		default:
			expected = 1 << N3T_NUMERATOR | 1 << N3T_DENOMINATOR;
		}
		KUNIT_EXPECT_EQ_MSG(test, n3t_metric_parts(metric), expected, "%s",
				    n3t_metrics[metric].name);
	}
}

static void one_metric_is_the_complement_of_another(struct kunit *test)
{
	unsigned int metric;

	for (metric = 0; metric < N3T_NR_METRICS; metric++)
		KUNIT_EXPECT_EQ_MSG(test, n3t_metric_complement(metric),
				    metric == N3T_METRIC_ll_cache_read_hit_ratio ?
				    N3T_METRIC_ll_cache_read_miss_ratio : -1, "%s",
				    n3t_metrics[metric].name);
}

static struct kunit_case spec_words_cases[] = {
	KUNIT_CASE(every_row_has_words),
	KUNIT_CASE(percentages_and_mpki_have_four_decimals),
	KUNIT_CASE(the_text_of_a_formula_is_that_of_the_specification),
	KUNIT_CASE(parts_follow_from_the_formulas),
	KUNIT_CASE(one_metric_is_the_complement_of_another),
	{}
};

static struct kunit_suite spec_words_suite = {
	.name = "n3_telemetry_spec_words",
	.test_cases = spec_words_cases,
};

kunit_test_suite(spec_words_suite);
