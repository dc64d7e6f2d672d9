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
	KUNIT_CASE(parts_follow_from_the_formulas),
	KUNIT_CASE(one_metric_is_the_complement_of_another),
	{}
};

static struct kunit_suite spec_words_suite = {
	.name = "n3_telemetry_spec_words",
	.test_cases = spec_words_cases,
};

kunit_test_suite(spec_words_suite);
