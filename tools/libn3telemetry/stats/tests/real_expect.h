/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Expected real numbers in KUnit cases: decimal digits and a power of ten. */
#ifndef _N3T_REAL_EXPECT_H
#define _N3T_REAL_EXPECT_H

#include <kunit/test.h>

#include "libn3telemetry/stats/real.h"

/* @digits * 10^@exponent */
static inline struct n3t_real decimal(s64 digits, int exponent)
{
	struct n3t_real number = n3t_real_make(digits, 0);

	for (; exponent > 0; exponent--)
		number = n3t_real_mul(number, n3t_real_count(10));
	for (; exponent < 0; exponent++)
		number = n3t_real_div(number, n3t_real_count(10));
	return number;
}

/* Within a relative error of 2^-@bits. */
static inline bool is_within(struct n3t_real number, struct n3t_real expected, int bits)
{
	struct n3t_real off = n3t_real_add(number, n3t_real_neg(expected));

	return n3t_real_is_zero(off) || (!n3t_real_is_zero(expected) &&
					 off.exponent < expected.exponent - bits);
}

#define EXPECT_WITHIN(test, number, digits, exponent, bits)				\
	KUNIT_EXPECT_TRUE_MSG(test, is_within(number, decimal(digits, exponent), bits),	\
			      "%lld * 10^%d", (long long)(digits), exponent)

/* Relative error of about 6e-8. */
#define EXPECT_NEAR(test, number, digits, exponent)	\
	EXPECT_WITHIN(test, number, digits, exponent, 24)

#endif /* _N3T_REAL_EXPECT_H */
