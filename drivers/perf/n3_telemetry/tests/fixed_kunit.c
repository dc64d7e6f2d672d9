// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: exact ratios, their rounding and printing. */
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <kunit/test.h>

#include "libn3t/fixed.h"

#define TEXT_SIZE	128

/* (2^64 - 1)^4 */
#define WIDEST "115792089237316195398462578067141184799968521174335529155754622898352762650625"

static struct n3t_ratio ratio(bool negative, u64 num, u64 den)
{
	struct n3t_ratio r, zero, divisor;

	n3t_ratio_set(&r, num);
	n3t_ratio_set(&divisor, den);
	n3t_ratio_div(&r, &divisor);
	if (negative) {
		n3t_ratio_set(&zero, 0);
		n3t_ratio_sub(&zero, &r);
		return zero;
	}
	return r;
}

static bool is_same(const struct n3t_ratio *a, const struct n3t_ratio *b)
{
	return a->negative == b->negative &&
	       !memcmp(&a->num, &b->num, sizeof(a->num)) &&
	       !memcmp(&a->den, &b->den, sizeof(a->den));
}

struct vector {
	bool negative;
	u64 num;
	u64 den;
	unsigned int decimals;
	const char *text;
};

/*
 * Expected values were computed elsewhere with exact rational arithmetic.
 * selftests/user/oracle_test.py has any number of others, with 4 and 6 decimals.
 */
static const struct vector vectors[] = {
	{ false, 0, 1, 4, "0.0000" },
	/* ties go away from zero */
	{ false, 1, 2, 0, "1" },
	{ true, 1, 2, 0, "-1" },
	/* one part in 2^64 below a tie and above it */
	{ false, U64_MAX / 2, U64_MAX, 0, "0" },
	{ false, U64_MAX / 2 + 1, U64_MAX, 0, "1" },
	{ true, U64_MAX / 2, U64_MAX, 0, "0" },
	/* a value that rounds to zero has no sign */
	{ true, 1, U64_MAX, 18, "0.000000000000000000" },
	/* carry through all digits */
	{ false, 99995, 100000, 4, "1.0000" },
	{ false, 9999999, 10000, 2, "1000.00" },
	{ true, 999999, 1000, 2, "-1000.00" },
	/* 64-bit limits */
	{ false, U64_MAX, 1, 0, "18446744073709551615" },
	{ true, U64_MAX, 1, 6, "-18446744073709551615.000000" },
};

static void ratios_are_printed_exactly(struct kunit *test)
{
	char text[TEXT_SIZE];
	const struct vector *v;
	struct n3t_ratio r;

	for (v = vectors; v < vectors + ARRAY_SIZE(vectors); v++) {
		r = ratio(v->negative, v->num, v->den);
		KUNIT_EXPECT_EQ(test, n3t_ratio_print(text, sizeof(text), &r, v->decimals),
				(int)strlen(v->text));
		KUNIT_EXPECT_STREQ(test, text, v->text);
	}
}

static void values_of_256_bits_are_printed(struct kunit *test)
{
	struct n3t_ratio factor, wide, narrow;
	char text[TEXT_SIZE];
	int i;

	n3t_ratio_set(&factor, U64_MAX);
	n3t_ratio_set(&wide, 1);
	for (i = 0; i < 4; i++)
		KUNIT_ASSERT_EQ(test, n3t_ratio_mul(&wide, &factor), 0);
	n3t_ratio_print(text, sizeof(text), &wide, 2);
	KUNIT_EXPECT_STREQ(test, text, WIDEST ".00");

	n3t_ratio_set(&narrow, 2);
	KUNIT_ASSERT_EQ(test, n3t_ratio_div(&narrow, &wide), 0);
	n3t_ratio_print(text, sizeof(text), &narrow, 6);
	KUNIT_EXPECT_STREQ(test, text, "0.000000");

	/* 2^90 / 3 */
	wide = ratio(false, 1ULL << 60, 3);
	n3t_ratio_set(&factor, 1ULL << 30);
	KUNIT_ASSERT_EQ(test, n3t_ratio_mul(&wide, &factor), 0);
	n3t_ratio_print(text, sizeof(text), &wide, 4);
	KUNIT_EXPECT_STREQ(test, text, "412646679761793424966374741.3333");
}

/* num = den - 1 with 256 bits each: every digit overflows 256 bits as an intermediate. */
static void fractions_of_256_bits_are_printed(struct kunit *test)
{
	struct n3t_ratio r = { .negative = true };
	char text[TEXT_SIZE];

	memset(&r.num, 0xff, sizeof(r.num));
	r.den = r.num;
	r.num.w[0]--;
	n3t_ratio_print(text, sizeof(text), &r, 4);
	KUNIT_EXPECT_STREQ(test, text, "-1.0000");

	memset(&r.num, 0x55, sizeof(r.num));
	n3t_ratio_print(text, sizeof(text), &r, 18);
	KUNIT_EXPECT_STREQ(test, text, "-0.333333333333333333");
}

static void print_truncates_as_snprintf_does(struct kunit *test)
{
	struct n3t_ratio r = ratio(true, 25, 2);
	char text[TEXT_SIZE] = "untouched";

	KUNIT_EXPECT_EQ(test, n3t_ratio_print(text, 0, &r, 2), 6);
	KUNIT_EXPECT_STREQ(test, text, "untouched");
	KUNIT_EXPECT_EQ(test, n3t_ratio_print(text, 1, &r, 2), 6);
	KUNIT_EXPECT_STREQ(test, text, "");
	KUNIT_EXPECT_EQ(test, n3t_ratio_print(text, 6, &r, 2), 6);
	KUNIT_EXPECT_STREQ(test, text, "-12.5");
	KUNIT_EXPECT_EQ(test, n3t_ratio_print(text, 7, &r, 2), 6);
	KUNIT_EXPECT_STREQ(test, text, "-12.50");
	KUNIT_EXPECT_EQ(test, n3t_ratio_print(text, sizeof(text), &r, U32_MAX),
			4 + N3T_MAX_DECIMALS);
}

static void expect_text(struct kunit *test, const struct n3t_ratio *r, const char *expected)
{
	char text[TEXT_SIZE];

	n3t_ratio_print(text, sizeof(text), r, 4);
	KUNIT_EXPECT_STREQ(test, text, expected);
}

static void sums_and_differences_are_right_for_all_signs(struct kunit *test)
{
	static const struct {
		bool a_negative, b_negative;
		const char *sum, *difference;
	} rows[] = {
		{ false, false, "1.1667", "-0.1667" },
		{ false, true, "-0.1667", "1.1667" },
		{ true, false, "0.1667", "-1.1667" },
		{ true, true, "-1.1667", "0.1667" },
	};
	struct n3t_ratio a, b;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		b = ratio(rows[i].b_negative, 2, 3);
		a = ratio(rows[i].a_negative, 1, 2);
		KUNIT_EXPECT_EQ(test, n3t_ratio_add(&a, &b), 0);
		expect_text(test, &a, rows[i].sum);
		a = ratio(rows[i].a_negative, 1, 2);
		KUNIT_EXPECT_EQ(test, n3t_ratio_sub(&a, &b), 0);
		expect_text(test, &a, rows[i].difference);
	}
}

static void products_and_quotients_are_right_for_all_signs(struct kunit *test)
{
	struct n3t_ratio a, b;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		b = ratio(i & 1, 2, 3);
		a = ratio(i & 2, 1, 2);
		KUNIT_EXPECT_EQ(test, n3t_ratio_mul(&a, &b), 0);
		expect_text(test, &a, i == 0 || i == 3 ? "0.3333" : "-0.3333");
		a = ratio(i & 2, 1, 2);
		KUNIT_EXPECT_EQ(test, n3t_ratio_div(&a, &b), 0);
		expect_text(test, &a, i == 0 || i == 3 ? "0.7500" : "-0.7500");
	}
}

static void zero_is_never_negative(struct kunit *test)
{
	struct n3t_ratio zero = ratio(false, 0, 5);
	struct n3t_ratio minus = ratio(true, 3, 7);
	struct n3t_ratio a;

	a = minus;
	KUNIT_EXPECT_EQ(test, n3t_ratio_mul(&a, &zero), 0);
	KUNIT_EXPECT_FALSE(test, a.negative);
	a = minus;
	KUNIT_EXPECT_EQ(test, n3t_ratio_sub(&a, &minus), 0);
	KUNIT_EXPECT_FALSE(test, a.negative);
	a = zero;
	KUNIT_EXPECT_EQ(test, n3t_ratio_div(&a, &minus), 0);
	KUNIT_EXPECT_FALSE(test, a.negative);
	a = zero;
	KUNIT_EXPECT_EQ(test, n3t_ratio_sub(&a, &zero), 0);
	KUNIT_EXPECT_FALSE(test, a.negative);
}

static void sums_keep_an_equal_denominator(struct kunit *test)
{
	struct n3t_ratio part = ratio(false, 1, U64_MAX);
	struct n3t_ratio sum = ratio(false, 0, U64_MAX);
	unsigned int i;

	for (i = 0; i < 1000; i++)
		KUNIT_ASSERT_EQ(test, n3t_ratio_add(&sum, &part), 0);
	KUNIT_EXPECT_EQ(test, sum.num.w[0], 1000ULL);
	KUNIT_EXPECT_EQ(test, sum.den.w[0], U64_MAX);
	KUNIT_EXPECT_EQ(test, sum.den.w[1], 0ULL);
}

static void both_operands_may_be_the_same_ratio(struct kunit *test)
{
	struct n3t_ratio a = ratio(false, 3, 7);

	KUNIT_EXPECT_EQ(test, n3t_ratio_add(&a, &a), 0);
	expect_text(test, &a, "0.8571");
	KUNIT_EXPECT_EQ(test, n3t_ratio_mul(&a, &a), 0);
	expect_text(test, &a, "0.7347");
	KUNIT_EXPECT_EQ(test, n3t_ratio_div(&a, &a), 0);
	expect_text(test, &a, "1.0000");
	KUNIT_EXPECT_EQ(test, n3t_ratio_sub(&a, &a), 0);
	expect_text(test, &a, "0.0000");
}

static void results_beyond_256_bits_are_refused(struct kunit *test)
{
	struct n3t_ratio most = { .den.w[0] = 1 }, least, a, b;

	memset(&most.num, 0xff, sizeof(most.num));
	n3t_ratio_set(&a, 1);
	least = a;
	KUNIT_ASSERT_EQ(test, n3t_ratio_div(&least, &most), 0);

	b = most;
	KUNIT_EXPECT_EQ(test, n3t_ratio_add(&b, &a), -EOVERFLOW);
	KUNIT_EXPECT_TRUE(test, is_same(&b, &most));
	KUNIT_EXPECT_EQ(test, n3t_ratio_mul(&b, &most), -EOVERFLOW);
	KUNIT_EXPECT_EQ(test, n3t_ratio_div(&b, &least), -EOVERFLOW);
	KUNIT_EXPECT_EQ(test, n3t_ratio_sub(&b, &least), -EOVERFLOW);
	KUNIT_EXPECT_TRUE(test, is_same(&b, &most));
	KUNIT_EXPECT_EQ(test, n3t_ratio_sub(&b, &a), 0);

	b = least;
	n3t_ratio_set(&a, 2);
	KUNIT_EXPECT_EQ(test, n3t_ratio_div(&b, &a), -EOVERFLOW);
	KUNIT_EXPECT_TRUE(test, is_same(&b, &least));
}

static void division_by_zero_is_refused(struct kunit *test)
{
	struct n3t_ratio a = ratio(true, 3, 7), before = a;
	struct n3t_ratio zero = ratio(false, 0, 9);

	KUNIT_EXPECT_EQ(test, n3t_ratio_div(&a, &zero), -EDOM);
	KUNIT_EXPECT_TRUE(test, is_same(&a, &before));
	KUNIT_EXPECT_EQ(test, n3t_ratio_div(&zero, &zero), -EDOM);
}

/* Digits that are critical for long division. */
static u32 odd_digit(u64 *state)
{
	static const u32 digits[] = { 0, 1, 2, U32_MAX / 2, 1U << 31, U32_MAX - 1, U32_MAX };

	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	if (*state >> 61 == 0)
		return *state >> 20;
	return digits[(*state >> 40) % ARRAY_SIZE(digits)];
}

static void odd_number(struct n3t_wide *number, u64 *state, unsigned int nr_digits)
{
	unsigned int i;

	memset(number, 0, sizeof(*number));
	for (i = 0; i < nr_digits; i++)
		half_set(number, i, odd_digit(state));
}

/* Every number is quot * den + rem for exactly one quot and one rem below den. */
static void division_undoes_multiplication(struct kunit *test)
{
	struct n3t_wide num, den, quot, rem, got_quot, got_rem;
	unsigned int i, tried = 0;
	u64 state = 1;

	for (i = 0; i < 20000; i++) {
		odd_number(&den, &state, 1 + i % WIDE_HALVES);
		odd_number(&quot, &state, 1 + i / WIDE_HALVES % WIDE_HALVES);
		odd_number(&rem, &state, 1 + i % WIDE_HALVES);
		if (wide_cmp(&rem, &den) >= 0 || wide_mul(&num, &quot, &den) ||
		    wide_add(&num, &rem))
			continue;
		tried++;
		wide_div(&num, &den, &got_quot, &got_rem);
		KUNIT_ASSERT_EQ_MSG(test, wide_cmp(&got_quot, &quot), 0, "number %u", i);
		KUNIT_ASSERT_EQ_MSG(test, wide_cmp(&got_rem, &rem), 0, "number %u", i);
	}
	KUNIT_EXPECT_GT(test, tried, 3000U);
}

static struct kunit_case fixed_cases[] = {
	KUNIT_CASE(division_undoes_multiplication),
	KUNIT_CASE(ratios_are_printed_exactly),
	KUNIT_CASE(values_of_256_bits_are_printed),
	KUNIT_CASE(fractions_of_256_bits_are_printed),
	KUNIT_CASE(print_truncates_as_snprintf_does),
	KUNIT_CASE(sums_and_differences_are_right_for_all_signs),
	KUNIT_CASE(products_and_quotients_are_right_for_all_signs),
	KUNIT_CASE(zero_is_never_negative),
	KUNIT_CASE(sums_keep_an_equal_denominator),
	KUNIT_CASE(both_operands_may_be_the_same_ratio),
	KUNIT_CASE(results_beyond_256_bits_are_refused),
	KUNIT_CASE(division_by_zero_is_refused),
	{}
};

static struct kunit_suite fixed_suite = {
	.name = "n3_telemetry_fixed",
	.test_cases = fixed_cases,
};

kunit_test_suite(fixed_suite);
