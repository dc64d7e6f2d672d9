/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Real numbers with about nine digits, for the errors of values, which need not be exact as values
 * are. Integers represent them, so results are the same on every machine.
 */
#ifndef LIBN3TELEMETRY_STATS_REAL_H
#define LIBN3TELEMETRY_STATS_REAL_H

#include <linux/bitops.h>
#include <linux/types.h>

#define N3T_REAL_BITS	31	/* of the magnitude of a mantissa */

/**
 * struct n3t_real - @mantissa * 2^@exponent
 * @mantissa: N3T_REAL_BITS significant bits, or 0
 * @exponent: arbitrary if @mantissa is 0
 */
struct n3t_real {
	s32 mantissa;
	s32 exponent;
};

/**
 * n3t_real_make() - the number @mantissa * 2^@exponent
 * @mantissa: any value except S64_MIN; excess low bits are truncated
 * @exponent: power of two
 *
 * Return: the number.
 */
static inline struct n3t_real n3t_real_make(s64 mantissa, int exponent)
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

/**
 * n3t_real_count() - a count as a real number
 * @count: the count
 *
 * Return: the number.
 */
static inline struct n3t_real n3t_real_count(u64 count)
{
	int shift = fls64(count) - N3T_REAL_BITS;

	if (!count)
		return (struct n3t_real){};
	return (struct n3t_real){
		.mantissa = shift > 0 ? count >> shift : count << -shift,
		.exponent = shift,
	};
}

/**
 * n3t_real_add() - @a + @b
 * @a: a number
 * @b: a number
 *
 * Return: the sum.
 */
static inline struct n3t_real n3t_real_add(struct n3t_real a, struct n3t_real b)
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

/**
 * n3t_real_mul() - @a * @b
 * @a: a number
 * @b: a number
 *
 * Return: the product.
 */
static inline struct n3t_real n3t_real_mul(struct n3t_real a, struct n3t_real b)
{
	s64 product = (s64)a.mantissa * b.mantissa;
	u64 magnitude = product < 0 ? -product : product;
	/* The product of two 31-bit magnitudes has 61 or 62 bits. */
	int shift = magnitude >> (2 * N3T_REAL_BITS - 1) ? N3T_REAL_BITS : N3T_REAL_BITS - 1;

	if (!product)
		return (struct n3t_real){};
	magnitude >>= shift;
	return (struct n3t_real){
		.mantissa = product < 0 ? -(s32)magnitude : (s32)magnitude,
		.exponent = a.exponent + b.exponent + shift,
	};
}

/**
 * n3t_real_square() - @a * @a
 * @a: a number
 *
 * Return: the square.
 */
static inline struct n3t_real n3t_real_square(struct n3t_real a)
{
	return n3t_real_mul(a, a);
}

/**
 * n3t_real_scale() - @a * @factor
 * @a: a number
 * @factor: a count
 *
 * Return: the product.
 */
static inline struct n3t_real n3t_real_scale(struct n3t_real a, u64 factor)
{
	return n3t_real_mul(a, n3t_real_count(factor));
}

struct n3t_real n3t_real_wide(__int128 wide, int exponent);
struct n3t_real n3t_real_div(struct n3t_real a, struct n3t_real b);
struct n3t_real n3t_real_sqrt(struct n3t_real a);
u64 n3t_real_ceil(struct n3t_real a);
u64 n3t_real_round(struct n3t_real a);

static inline struct n3t_real n3t_real_neg(struct n3t_real a)
{
	a.mantissa = -a.mantissa;
	return a;
}

static inline bool n3t_real_is_zero(struct n3t_real a)
{
	return !a.mantissa;
}

#endif /* LIBN3TELEMETRY_STATS_REAL_H */
