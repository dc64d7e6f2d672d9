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

/* selftests/user/oracle_test.py has the values within the limits of 64 bits. */
static const struct vector vectors[] = {
	{ false, U64_MAX, 1, 0, S64_MAX },
	{ false, U64_MAX, 1, 6, S64_MAX },
	{ true, U64_MAX, 1, 6, S64_MIN },
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

static void scaled_ratios_saturate(struct kunit *test)
{
	const struct vector *v;
	struct n3t_ratio r;

	for (v = vectors; v < vectors + ARRAY_SIZE(vectors); v++) {
		r = ratio(v->negative, v->num, v->den);
		KUNIT_EXPECT_EQ_MSG(test, n3t_ratio_scaled(&r, v->decimals), v->scaled,
				    "num=%llu den=%llu decimals=%u", v->num, v->den, v->decimals);
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
	KUNIT_CASE(scaled_ratios_saturate),
	KUNIT_CASE(truncated_ratios_are_rounded_later),
	KUNIT_CASE(scaled_integers_are_printed_as_decimals),
	{}
};

static struct kunit_suite scaled_suite = {
	.name = "n3_telemetry_scaled",
	.test_cases = scaled_cases,
};

kunit_test_suite(scaled_suite);
