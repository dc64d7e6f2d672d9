// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Real numbers with about nine digits, for the errors of values. */
#include <linux/bitops.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/math64.h>

#include "libn3telemetry/stats/real.h"

/**
 * n3t_real_wide() - the number @wide * 2^@exponent
 * @wide: any value except the lowest
 * @exponent: power of two
 *
 * Return: the number.
 */
struct n3t_real n3t_real_wide(__int128 wide, int exponent)
{
	unsigned __int128 magnitude = wide;
	struct n3t_real real;
	u64 high, low;
	int shift;

	if (wide < 0)
		magnitude = -magnitude;
	high = magnitude >> 64;
	low = magnitude;
	shift = fls64(high);
	if (shift)
		low = shift < 64 ? high << (64 - shift) | low >> shift : high;
	real = n3t_real_count(low);
	real.exponent += exponent + shift;
	return wide < 0 ? n3t_real_neg(real) : real;
}

/**
 * n3t_real_div() - @a / @b
 * @a: a number
 * @b: a number, not 0
 *
 * Return: the quotient.
 */
struct n3t_real n3t_real_div(struct n3t_real a, struct n3t_real b)
{
	return n3t_real_make(div_s64((s64)a.mantissa * (1ll << 32), b.mantissa),
			     a.exponent - b.exponent - 32);
}

/**
 * n3t_real_sqrt() - square root
 * @a: a number; the root of a negative number is 0
 *
 * Return: the root.
 */
struct n3t_real n3t_real_sqrt(struct n3t_real a)
{
	int odd = a.exponent & 1;

	if (a.mantissa <= 0)
		return (struct n3t_real){};
	/* 62 or 63 bits, so that the root has 31 or 32 */
	return n3t_real_make(int_sqrt64((u64)a.mantissa << (32 - odd)),
			     (a.exponent - 32 + odd) / 2);
}

/**
 * n3t_real_ceil() - next integer
 * @a: a number, not below 0
 *
 * Return: @a rounded up; U64_MAX if it exceeds 63 bits.
 */
u64 n3t_real_ceil(struct n3t_real a)
{
	u64 magnitude = a.mantissa;

	if (a.mantissa <= 0)
		return 0;
	if (a.exponent > 63 - N3T_REAL_BITS)
		return U64_MAX;
	if (a.exponent >= 0)
		return magnitude << a.exponent;
	if (a.exponent <= -N3T_REAL_BITS)
		return 1;
	return (magnitude >> -a.exponent) + !!(magnitude & ((1ull << -a.exponent) - 1));
}

/**
 * n3t_real_round() - nearest integer
 * @a: a number, not below 0
 *
 * Return: @a rounded to nearest, a half down; U64_MAX if it exceeds 63 bits.
 */
u64 n3t_real_round(struct n3t_real a)
{
	return n3t_real_ceil(n3t_real_add(a, n3t_real_make(-1, -1)));
}
