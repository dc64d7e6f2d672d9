// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * KUnit: facts that follow from formulas.
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

/* All quotients but those with slots and the complement; a numerator can be a difference. */
static void parts_follow_from_the_formulas(struct kunit *test)
{
	unsigned int metric, expected;

	for (metric = 0; metric < N3T_NR_METRICS; metric++) {
		const char *formula = n3t_metrics[metric].formula;

		expected = 1 << N3T_NUMERATOR | 1 << N3T_DENOMINATOR;
		if (strstr(formula, "SLOTS") || metric == N3T_METRIC_ll_cache_read_hit_ratio)
			expected = 0;
		else if (strstr(formula, " - "))
			expected |= 1 << N3T_SUBTRAHEND;
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
	KUNIT_CASE(parts_follow_from_the_formulas),
	KUNIT_CASE(one_metric_is_the_complement_of_another),
	{}
};

static struct kunit_suite spec_words_suite = {
	.name = "n3_telemetry_spec_words",
	.test_cases = spec_words_cases,
};

kunit_test_suite(spec_words_suite);
