// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Real numbers to some nine digits, for errors of values. */
#include <linux/bitops.h>
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/math64.h>
#include <kunit/visibility.h>

#include "real.h"

/**
 * n3t_real_make() - the number @mantissa * 2^@exponent
 * @mantissa: any but S64_MIN; what is beyond N3T_REAL_BITS is cut off
 * @exponent: its power of two
 *
 * Return: the number.
 */
struct n3t_real n3t_real_make(s64 mantissa, int exponent)
{
	u64 magnitude = mantissa < 0 ? -mantissa : mantissa;
	int shift = fls64(magnitude) - N3T_REAL_BITS;

	if (!mantissa)
		return (struct n3t_real){};
	magnitude = shift > 0 ? magnitude >> shift : magnitude << -shift;
	return (struct n3t_real){
		.mantissa = mantissa < 0 ? -(s32)magnitude : (s32)magnitude,
		.exponent = exponent + shift,
	};
}
EXPORT_SYMBOL_IF_KUNIT(n3t_real_make);

/**
 * n3t_real_count() - a count as a real number
 * @count: the count
 *
 * Return: the number.
 */
struct n3t_real n3t_real_count(u64 count)
{
	return count > S64_MAX ? n3t_real_make(count >> 1, 1) : n3t_real_make(count, 0);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_real_count);

/**
 * n3t_real_add() - @a + @b
 * @a: a number
 * @b: another
 *
 * Return: the sum.
 */
struct n3t_real n3t_real_add(struct n3t_real a, struct n3t_real b)
{
	struct n3t_real upper = a, lower = b;
	int shift;

	if (!b.mantissa)
		return a;
	if (!a.mantissa)
		return b;
	if (a.exponent < b.exponent) {
		upper = b;
		lower = a;
	}
	shift = upper.exponent - lower.exponent;
	if (shift > N3T_REAL_BITS)
		return upper;
	return n3t_real_make(((s64)upper.mantissa * (1ll << shift)) + lower.mantissa,
			     lower.exponent);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_real_add);

/**
 * n3t_real_mul() - @a * @b
 * @a: a number
 * @b: another
 *
 * Return: the product.
 */
struct n3t_real n3t_real_mul(struct n3t_real a, struct n3t_real b)
{
	s64 product = (s64)a.mantissa * b.mantissa;
	u64 magnitude = product < 0 ? -product : product;
	/* One of 31 bits by another has 61 or 62. */
	int shift = magnitude >> (2 * N3T_REAL_BITS - 1) ? N3T_REAL_BITS : N3T_REAL_BITS - 1;

	if (!product)
		return (struct n3t_real){};
	magnitude >>= shift;
	return (struct n3t_real){
		.mantissa = product < 0 ? -(s32)magnitude : (s32)magnitude,
		.exponent = a.exponent + b.exponent + shift,
	};
}
EXPORT_SYMBOL_IF_KUNIT(n3t_real_mul);

/**
 * n3t_real_div() - @a / @b
 * @a: a number
 * @b: another, not 0
 *
 * Return: the quotient.
 */
struct n3t_real n3t_real_div(struct n3t_real a, struct n3t_real b)
{
	return n3t_real_make(div_s64((s64)a.mantissa * (1ll << 32), b.mantissa),
			     a.exponent - b.exponent - 32);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_real_div);

/**
 * n3t_real_sqrt() - square root
 * @a: a number; of one below 0 the root is 0
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
EXPORT_SYMBOL_IF_KUNIT(n3t_real_sqrt);

/**
 * n3t_real_ceil() - the next integer
 * @a: a number, not below 0
 *
 * Return: @a rounded up; U64_MAX if it is beyond 63 bits.
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
EXPORT_SYMBOL_IF_KUNIT(n3t_real_ceil);
