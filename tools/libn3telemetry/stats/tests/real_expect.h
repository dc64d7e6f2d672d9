/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Expected floating-point numbers in KUnit cases. */
#ifndef _N3T_REAL_EXPECT_H
#define _N3T_REAL_EXPECT_H

#include <kunit/test.h>
#include <math.h>

#include "libn3telemetry/stats/real.h"

/* Within a relative error of 2^-@bits. */
static inline bool is_within(double number, double expected, int bits)
{
	return fabs(number - expected) <= ldexp(fabs(expected), -bits);
}

#define EXPECT_WITHIN(test, number, expected, bits)					\
	KUNIT_EXPECT_TRUE_MSG(test, is_within(number, expected, bits), #expected)

/* Relative error of about 6e-8: expected values have ten digits. */
#define EXPECT_NEAR(test, number, expected) EXPECT_WITHIN(test, number, expected, 24)

#endif /* _N3T_REAL_EXPECT_H */
