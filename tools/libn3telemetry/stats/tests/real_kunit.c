// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: conversions of floating-point numbers to integers. */
#include <linux/limits.h>
#include <kunit/test.h>

#include "libn3telemetry/stats/real.h"

static void integers_are_rounded_and_saturated(struct kunit *test)
{
	static const struct {
		double number;
		s64 saturated;
		u64 raised;
		u64 rounded;
	} rows[] = {
		{ 0, 0, 0, 0 },
		{ -5, -5, 0, 0 },
		{ 7, 7, 7, 7 },
		{ 7.5, 7, 8, 7 },
		{ 7.75, 7, 8, 8 },
		{ -7.75, -7, 0, 0 },
		{ 0.000001, 0, 1, 0 },
		{ 0x1p62, 1ll << 62, 1ull << 62, 1ull << 62 },
		{ 0x1p63, S64_MAX, S64_MAX, S64_MAX },
		{ INFINITY, S64_MAX, S64_MAX, S64_MAX },
		{ -0x1p63, -S64_MAX, 0, 0 },
		{ -INFINITY, -S64_MAX, 0, 0 },
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_EXPECT_EQ_MSG(test, saturated(rows[i].number), rows[i].saturated,
				    "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, raised(rows[i].number), rows[i].raised, "row %u", i);
		KUNIT_EXPECT_EQ_MSG(test, rounded(rows[i].number), rows[i].rounded, "row %u", i);
	}
	KUNIT_EXPECT_EQ(test, saturated(NAN), S64_MAX);
}

static struct kunit_case real_cases[] = {
	KUNIT_CASE(integers_are_rounded_and_saturated),
	{}
};

static struct kunit_suite real_suite = {
	.name = "n3_telemetry_real",
	.test_cases = real_cases,
};

kunit_test_suite(real_suite);
