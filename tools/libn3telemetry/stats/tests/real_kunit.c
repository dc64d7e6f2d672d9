// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: real numbers with about nine digits. */
#include <linux/limits.h>
#include <kunit/test.h>

#include "real_expect.h"

static void numbers_are_normalized(struct kunit *test)
{
	static const s64 rows[] = { 1, -1, 2, 3, 1 << 30, (1ll << 31) - 1, 1ll << 31, S64_MAX,
				    -S64_MAX };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct n3t_real number = n3t_real_make(rows[i], 5);
		s64 magnitude = number.mantissa < 0 ? -(s64)number.mantissa : number.mantissa;

		KUNIT_EXPECT_EQ_MSG(test, magnitude >> 30, 1ll, "%lld", (long long)rows[i]);
		KUNIT_EXPECT_EQ_MSG(test, number.mantissa < 0, rows[i] < 0, "%lld",
				    (long long)rows[i]);
	}
	KUNIT_EXPECT_TRUE(test, n3t_real_is_zero(n3t_real_make(0, 7)));
	EXPECT_NEAR(test, n3t_real_count(U64_MAX), 1844674407370955162ll, 1);
}

static void sums_are_exact_to_nine_digits(struct kunit *test)
{
	struct n3t_real a = decimal(123456789, 0), b = decimal(-123456788, 0);

	EXPECT_NEAR(test, n3t_real_add(a, b), 1, 0);
	EXPECT_NEAR(test, n3t_real_add(b, a), 1, 0);
	KUNIT_EXPECT_TRUE(test, n3t_real_is_zero(n3t_real_add(a, n3t_real_neg(a))));
	EXPECT_NEAR(test, n3t_real_add(a, n3t_real_make(0, 0)), 123456789, 0);
	EXPECT_NEAR(test, n3t_real_add(n3t_real_make(0, 0), a), 123456789, 0);
	/* a negligible summand, and one just not negligible */
	EXPECT_NEAR(test, n3t_real_add(n3t_real_make(1, 40), n3t_real_count(1)), 1ll << 40, 0);
	EXPECT_NEAR(test, n3t_real_add(n3t_real_make(1, 31), n3t_real_make(-1, 30)), 1 << 30, 0);
}

static void products_quotients_and_roots(struct kunit *test)
{
	EXPECT_NEAR(test, n3t_real_mul(decimal(3, -7), decimal(-7, 5)), -21, -2);
	EXPECT_NEAR(test, n3t_real_div(decimal(1, 0), decimal(-3, 0)), -3333333333ll, -10);
	EXPECT_NEAR(test, n3t_real_div(decimal(22, 30), decimal(7, -30)), 3142857143ll, 51);
	EXPECT_NEAR(test, n3t_real_sqrt(decimal(2, 0)), 1414213562, -9);
	EXPECT_NEAR(test, n3t_real_sqrt(decimal(2, -1)), 4472135955ll, -10);
	EXPECT_NEAR(test, n3t_real_sqrt(decimal(1, 40)), 1, 20);
	EXPECT_NEAR(test, n3t_real_sqrt(n3t_real_make(S64_MAX, 0)), 3037000500ll, 0);
	KUNIT_EXPECT_TRUE(test, n3t_real_is_zero(n3t_real_sqrt(decimal(-1, 0))));
	KUNIT_EXPECT_TRUE(test, n3t_real_is_zero(n3t_real_sqrt(n3t_real_make(0, 0))));
}

static void integers_are_rounded_up(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, n3t_real_ceil(n3t_real_make(0, 0)), 0ull);
	KUNIT_EXPECT_EQ(test, n3t_real_ceil(decimal(-5, 0)), 0ull);
	KUNIT_EXPECT_EQ(test, n3t_real_ceil(n3t_real_count(7)), 7ull);
	KUNIT_EXPECT_EQ(test, n3t_real_ceil(n3t_real_make(15, -1)), 8ull);
	KUNIT_EXPECT_EQ(test, n3t_real_ceil(decimal(1, -12)), 1ull);
	KUNIT_EXPECT_EQ(test, n3t_real_ceil(n3t_real_make(1, 62)), 1ull << 62);
	KUNIT_EXPECT_EQ(test, n3t_real_ceil(n3t_real_make(1, 63)), U64_MAX);
	KUNIT_EXPECT_EQ(test, n3t_real_ceil(n3t_real_make(1, -30)), 1ull);
	KUNIT_EXPECT_EQ(test, n3t_real_ceil(n3t_real_make(1, -31)), 1ull);
}

static struct kunit_case real_cases[] = {
	KUNIT_CASE(numbers_are_normalized),
	KUNIT_CASE(sums_are_exact_to_nine_digits),
	KUNIT_CASE(products_quotients_and_roots),
	KUNIT_CASE(integers_are_rounded_up),
	{}
};

static struct kunit_suite real_suite = {
	.name = "n3_telemetry_real",
	.test_cases = real_cases,
};

kunit_test_suite(real_suite);
