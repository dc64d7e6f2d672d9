// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* KUnit: ratios as integers with implied decimal places. */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <kunit/test.h>

#include "libn3telemetry/stats/scaled.h"

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

struct vector {
	bool negative;
	u64 num;
	u64 den;
	unsigned int decimals;
	s64 scaled;
};

/* Expected values were computed elsewhere with exact rational arithmetic. */
static const struct vector vectors[] = {
	{ false, 0, 1, 4, 0 },
	{ false, 0, U64_MAX, 4, 0 },
	{ false, 7, 1, 0, 7 },
	{ false, 1, 3, 4, 3333 },
	{ false, 2, 3, 4, 6667 },
	{ true, 2, 3, 4, -6667 },
	{ false, 355, 113, 6, 3141593 },
	{ false, 1000000, 1, 4, 10000000000LL },
	/* ties go away from zero */
	{ false, 1, 2, 0, 1 },
	{ true, 1, 2, 0, -1 },
	{ false, 1, 20000, 4, 1 },
	{ true, 1, 20000, 4, -1 },
	{ false, 3, 20000, 4, 2 },
	{ false, 5, 20000, 4, 3 },
	/* one part in 2^64 below a tie and above it */
	{ false, U64_MAX / 2, U64_MAX, 0, 0 },
	{ false, U64_MAX / 2 + 1, U64_MAX, 0, 1 },
	{ true, U64_MAX / 2, U64_MAX, 0, 0 },
	/* a value that rounds to zero has no sign */
	{ true, 1, 20001, 4, 0 },
	{ true, 1, U64_MAX, 18, 0 },
	{ true, 1, U64_MAX, 4, 0 },
	/* carry through all digits */
	{ false, 99995, 100000, 4, 10000 },
	{ false, 9999999, 10000, 2, 100000 },
	{ true, 999999, 1000, 2, -100000 },
	/* 64-bit limits */
	{ false, U64_MAX, 1, 0, S64_MAX },
	{ false, U64_MAX, 1, 6, S64_MAX },
	{ true, U64_MAX, 1, 6, S64_MIN },
	{ false, 1, U64_MAX, 4, 0 },
	{ false, U64_MAX, U64_MAX, 4, 10000 },
	{ false, U64_MAX - 1, U64_MAX, 4, 10000 },
	{ false, U64_MAX, 3, 4, S64_MAX },
	{ false, S64_MAX, 1, 0, S64_MAX },
	{ true, S64_MAX, 1, 0, -S64_MAX },
	{ true, 1ULL << 63, 1, 0, S64_MIN },
	{ false, U64_MAX, 2, 0, S64_MAX },
	{ false, 1ULL << 63, 5, 1, S64_MAX },
	{ true, 1ULL << 63, 5, 6, S64_MIN },
	{ true, 1ULL << 63, 10, 1, S64_MIN },
	{ false, S64_MAX, 10, 1, S64_MAX },
	{ false, 1ULL << 63, 10, 1, S64_MAX },
	{ false, 922337203685477580ULL, 1, 1, 9223372036854775800LL },
	{ false, 922337203685477581ULL, 1, 1, S64_MAX },
};

static void ratios_are_scaled_exactly(struct kunit *test)
{
	const struct vector *v;
	struct n3t_ratio r;

	for (v = vectors; v < vectors + ARRAY_SIZE(vectors); v++) {
		r = ratio(v->negative, v->num, v->den);
		KUNIT_EXPECT_EQ_MSG(test, n3t_ratio_scaled(&r, v->decimals), v->scaled,
				    "num=%llu den=%llu decimals=%u", v->num, v->den, v->decimals);
	}
}

/* floor(100 * num / den + 1/2) in 64 bits gives the same digits. */
static void scaled_ratios_are_rounded_to_nearest(struct kunit *test)
{
	struct n3t_ratio r;
	unsigned int num, den;

	for (den = 1; den <= 64; den++) {
		for (num = 0; num <= 3 * den; num++) {
			r = ratio(false, num, den);
			KUNIT_EXPECT_EQ_MSG(test, n3t_ratio_scaled(&r, 2),
					    (s64)((200 * num + den) / (2 * den)),
					    "num=%u den=%u", num, den);
		}
	}
}

/* Rounding a ratio truncated at further decimals gives the same digits. */
static void truncated_ratios_are_rounded_later(struct kunit *test)
{
	struct n3t_ratio r;
	unsigned int num, den;
	s64 cut;

	for (den = 1; den <= 64; den++) {
		for (num = 0; num <= 3 * den; num++) {
			r = ratio(num && den % 2, num, den);
			cut = n3t_ratio_cut_off(&r, 5);
			KUNIT_EXPECT_EQ_MSG(test, cut, (r.negative ? -1LL : 1LL) *
					    (100000 * num / den), "num=%u den=%u", num, den);
			KUNIT_EXPECT_EQ_MSG(test, n3t_scaled_round(cut, 1000),
					    n3t_ratio_scaled(&r, 2), "num=%u den=%u", num, den);
		}
	}
	r = ratio(true, U64_MAX, 1);
	KUNIT_EXPECT_EQ(test, n3t_ratio_cut_off(&r, 0), S64_MIN);
	r = ratio(false, S64_MAX, 1);
	KUNIT_EXPECT_EQ(test, n3t_ratio_cut_off(&r, 0), S64_MAX);
	KUNIT_EXPECT_EQ(test, n3t_scaled_round(S64_MAX, 10), 922337203685477581LL);
	KUNIT_EXPECT_EQ(test, n3t_scaled_round(S64_MIN, 10), -922337203685477581LL);
}

static void scaled_integers_are_printed_as_decimals(struct kunit *test)
{
	static const struct {
		s64 scaled;
		unsigned int decimals;
		const char *text;
	} rows[] = {
		{ 0, 4, "0.0000" },
		{ -1, 4, "-0.0001" },
		{ 1234567, 4, "123.4567" },
		{ -1234567, 0, "-1234567" },
		{ S64_MAX, 6, "9223372036854.775807" },
		{ S64_MIN, 6, "-9223372036854.775808" },
	};
	char buf[N3T_SCALED_SIZE];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct n3t_text text = { .buf = buf, .size = sizeof(buf) };

		n3t_text_add_scaled(&text, rows[i].scaled, rows[i].decimals);
		KUNIT_EXPECT_STREQ(test, buf, rows[i].text);
	}
}

static struct kunit_case scaled_cases[] = {
	KUNIT_CASE(ratios_are_scaled_exactly),
	KUNIT_CASE(scaled_ratios_are_rounded_to_nearest),
	KUNIT_CASE(truncated_ratios_are_rounded_later),
	KUNIT_CASE(scaled_integers_are_printed_as_decimals),
	{}
};

static struct kunit_suite scaled_suite = {
	.name = "n3_telemetry_scaled",
	.test_cases = scaled_cases,
};

kunit_test_suite(scaled_suite);
