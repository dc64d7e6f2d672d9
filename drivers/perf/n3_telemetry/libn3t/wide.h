/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Unsigned 256-bit arithmetic for fixed.c, on 64-bit machines. */
#ifndef _N3T_WIDE_H
#define _N3T_WIDE_H

#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/types.h>

#define WIDE_WORDS	4
#define WIDE_HALVES	(2 * WIDE_WORDS)	/* 32-bit halves of the words */

/**
 * struct n3t_wide - an unsigned number of 256 bits
 * @w: words, least significant first
 */
struct n3t_wide {
	u64 w[WIDE_WORDS];
};

static inline u32 half_get(const struct n3t_wide *a, unsigned int i)
{
	return a->w[i / 2] >> (i % 2 * 32);
}

static inline void half_set(struct n3t_wide *a, unsigned int i, u32 half)
{
	unsigned int shift = i % 2 * 32;

	a->w[i / 2] &= ~((u64)U32_MAX << shift);
	a->w[i / 2] |= (u64)half << shift;
}

/* Number of significant bits, 0 for zero. */
static inline int wide_bits(const struct n3t_wide *a)
{
	int i;

	for (i = WIDE_WORDS - 1; i >= 0; i--)
		if (a->w[i])
			return 64 * i + fls64(a->w[i]);
	return 0;
}

/* Number of words up to the highest nonzero one. */
static inline int wide_words(const struct n3t_wide *a)
{
	int nr = WIDE_WORDS;

	while (nr > 0 && !a->w[nr - 1])
		nr--;
	return nr;
}

static inline bool wide_is_zero(const struct n3t_wide *a)
{
	return !wide_words(a);
}

static inline void wide_set(struct n3t_wide *a, u64 value)
{
	int i;

	a->w[0] = value;
	for (i = 1; i < WIDE_WORDS; i++)
		a->w[i] = 0;
}

static inline int wide_cmp(const struct n3t_wide *a, const struct n3t_wide *b)
{
	int i;

	for (i = WIDE_WORDS - 1; i >= 0; i--)
		if (a->w[i] != b->w[i])
			return a->w[i] < b->w[i] ? -1 : 1;
	return 0;
}

/* a += b; returns the carry. */
static inline unsigned int wide_add(struct n3t_wide *a, const struct n3t_wide *b)
{
	unsigned int carry = 0;
	u64 part, sum;
	int i;

	for (i = 0; i < WIDE_WORDS; i++) {
		part = a->w[i] + b->w[i];
		sum = part + carry;
		carry = part < b->w[i] || sum < part;
		a->w[i] = sum;
	}
	return carry;
}

/* a -= b; returns the borrow. */
static inline unsigned int wide_sub(struct n3t_wide *a, const struct n3t_wide *b)
{
	unsigned int borrow = 0;
	u64 part, diff;
	int i;

	for (i = 0; i < WIDE_WORDS; i++) {
		part = a->w[i] - b->w[i];
		diff = part - borrow;
		borrow = part > a->w[i] || diff > part;
		a->w[i] = diff;
	}
	return borrow;
}

static inline bool wide_is_word(const struct n3t_wide *a)
{
	u64 above = 0;
	int i;

	for (i = 1; i < WIDE_WORDS; i++)
		above |= a->w[i];
	return !above;
}

static inline bool wide_is_one(const struct n3t_wide *a)
{
	return a->w[0] == 1 && wide_is_word(a);
}

/* Open-coded: memset() is a call in the kernel. */
static inline void wide_clear(u64 *words, int nr)
{
	while (nr-- > 0)
		words[nr] = 0;
}

/* product = a * b; on -EOVERFLOW @product is undefined. */
static inline int wide_mul(struct n3t_wide *product, const struct n3t_wide *a,
			   const struct n3t_wide *b)
{
	int a_words, b_words, i, k;
	u64 sum[WIDE_WORDS + 1];

	if (wide_is_word(a) && wide_is_word(b)) {
		unsigned __int128 part = (unsigned __int128)a->w[0] * b->w[0];

		product->w[0] = part;
		product->w[1] = part >> 64;
		wide_clear(product->w + 2, WIDE_WORDS - 2);
		return 0;
	}

	a_words = wide_words(a);
	b_words = wide_words(b);
	if (a_words + b_words > WIDE_WORDS + 1)
		return -EOVERFLOW;

	wide_clear(sum, WIDE_WORDS + 1);

	for (i = 0; i < a_words; i++) {
		u64 carry = 0;

		for (k = 0; k < b_words; k++) {
			unsigned __int128 part = (unsigned __int128)a->w[i] * b->w[k];

			part += sum[i + k];
			part += carry;
			sum[i + k] = part;
			carry = part >> 64;
		}
		sum[i + k] = carry;
	}

	if (sum[WIDE_WORDS])
		return -EOVERFLOW;
	for (i = 0; i < WIDE_WORDS; i++)
		product->w[i] = sum[i];
	return 0;
}

/* a *= 10; returns the overflow, less than 10. */
static inline unsigned int wide_mul10(struct n3t_wide *a)
{
	u64 carry = 0;
	unsigned int i;

	for (i = 0; i < WIDE_HALVES; i++) {
		carry += (u64)half_get(a, i) * 10;
		half_set(a, i, carry);
		carry >>= 32;
	}
	return carry;
}

/* a /= 10; returns the remainder. */
static inline unsigned int wide_div10(struct n3t_wide *a)
{
	u32 half, high, low, rem = 0;
	unsigned int i;

	/* 16 bits at a time: 32-bit division suffices everywhere. */
	for (i = WIDE_HALVES; i-- > 0;) {
		half = half_get(a, i);
		high = rem << 16 | half >> 16;
		low = high % 10 << 16 | (half & U16_MAX);
		half_set(a, i, high / 10 << 16 | low / 10);
		rem = low % 10;
	}
	return rem;
}

/* a <<= shift; bits shifted out of the top are lost. */
static inline void wide_shl(struct n3t_wide *a, int shift)
{
	int words = shift / 64, bits = shift % 64;
	int i;

	for (i = WIDE_WORDS - 1; i >= 0; i--) {
		u64 high = i >= words ? a->w[i - words] : 0;
		u64 low = i > words ? a->w[i - words - 1] : 0;

		a->w[i] = bits ? high << bits | low >> (64 - bits) : high;
	}
}

static inline unsigned __int128 wide_low(const struct n3t_wide *a)
{
	return (unsigned __int128)a->w[1] << 64 | a->w[0];
}

static inline void wide_halve(struct n3t_wide *a)
{
	int i;

	for (i = 0; i < WIDE_WORDS - 1; i++)
		a->w[i] = a->w[i] >> 1 | a->w[i + 1] << 63;
	a->w[i] >>= 1;
}

/*
 * One 32-bit digit of a quotient: returns u / v, which is less than 2^32, and leaves
 * the remainder in u. v has two digits with the top bit set, u has three.
 * (Knuth, "The Art of Computer Programming", volume 2, 4.3.1, algorithm D.)
 */
static inline u32 wide_div_digit(u32 *u, u64 v)
{
	u32 v1 = v >> 32, v0 = v;
	u64 low = (u64)u[1] << 32 | u[0], top = (u64)u[2] << 32 | u[1];
	u64 digit = top / v1, rem = top % v1;

	/* The estimate from the top digits is at most two too large. */
	while (digit > U32_MAX || digit * v0 > (rem << 32 | u[0])) {
		digit--;
		rem += v1;
		if (rem > U32_MAX)
			break;
	}
	/* The remainder is less than v, so what exceeds 64 bits cancels out. */
	low -= digit * v;
	u[0] = low;
	u[1] = low >> 32;
	return digit;
}

/* Quotient of two 64-bit digits by one; @high is less than @den. */
static inline u64 wide_div_word(u64 high, u64 low, u64 den, u64 *rem)
{
	int shift = 64 - fls64(den);
	u32 u[4], digit;

	if (!high) {
		*rem = low % den;
		return low / den;
	}
	if (den <= U32_MAX) {
		u64 part = high << 32 | low >> 32;

		high = part / den;
		low = part % den << 32 | (low & U32_MAX);
		*rem = low % den;
		return high << 32 | low / den;
	}

	if (shift) {
		high = high << shift | low >> (64 - shift);
		low <<= shift;
		den <<= shift;
	}
	u[0] = low;
	u[1] = low >> 32;
	u[2] = high;
	u[3] = high >> 32;
	digit = wide_div_digit(u + 1, den);
	low = (u64)digit << 32 | wide_div_digit(u, den);
	*rem = ((u64)u[1] << 32 | u[0]) >> shift;
	return low;
}

/*
 * num = quot * den + rem, rem < den; den is not 0. A denominator of more than 64 bits is rare
 * and its quotient small: bit by bit.
 */
static inline void wide_div(const struct n3t_wide *num, const struct n3t_wide *den,
			    struct n3t_wide *quot, struct n3t_wide *rem)
{
	int bit = wide_bits(num) - wide_bits(den), i;
	struct n3t_wide part = *den;
	u64 rest = 0;

	wide_set(quot, 0);
	if (wide_is_word(den)) {
		for (i = wide_words(num) - 1; i >= 0; i--)
			quot->w[i] = wide_div_word(rest, num->w[i], den->w[0], &rest);
		wide_set(rem, rest);
		return;
	}

	*rem = *num;
	if (bit < 0)
		return;
	if (wide_words(num) <= 2) {
		unsigned __int128 left = wide_low(num), step = wide_low(den) << bit;

		for (; bit >= 0; bit--, step >>= 1) {
			if (left < step)
				continue;
			left -= step;
			quot->w[0] |= 1ull << bit;
		}
		rem->w[0] = left;
		rem->w[1] = left >> 64;
		return;
	}
	for (wide_shl(&part, bit); bit >= 0; bit--, wide_halve(&part)) {
		if (wide_cmp(rem, &part) < 0)
			continue;
		wide_sub(rem, &part);
		quot->w[bit / 64] |= 1ull << bit % 64;
	}
}

#endif /* _N3T_WIDE_H */
