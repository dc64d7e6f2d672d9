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

/* a >>= shift, shift < 32. */
static inline void wide_shr(struct n3t_wide *a, int shift)
{
	int i;

	for (i = 0; shift && i < WIDE_WORDS; i++) {
		u64 above = i + 1 < WIDE_WORDS ? a->w[i + 1] : 0;

		a->w[i] = a->w[i] >> shift | above << (64 - shift);
	}
}

/*
 * One 32-bit digit of a quotient: returns u / v, which is less than 2^32, and leaves
 * the remainder in u. v has nr digits with the top bit set, u has one digit more.
 * (Knuth, "The Art of Computer Programming", volume 2, 4.3.1, algorithm D.)
 */
static inline u32 wide_div_digit(u32 *u, const u32 *v, int nr)
{
	u64 top = (u64)u[nr] << 32 | u[nr - 1];
	u64 digit = top / v[nr - 1], rem = top % v[nr - 1];
	u64 product, carry = 0;
	int i;

	/* The estimate from the top digits is at most two too large. */
	while (digit > U32_MAX || (nr > 1 && digit * v[nr - 2] > (rem << 32 | u[nr - 2]))) {
		digit--;
		rem += v[nr - 1];
		if (rem > U32_MAX)
			break;
	}

	for (i = 0; i < nr; i++) {
		product = digit * v[i] + carry;
		carry = (product >> 32) + (u[i] < (u32)product);
		u[i] -= product;
	}
	if (u[nr] >= carry) {
		u[nr] -= carry;
		return digit;
	}

	/* Still one too large. */
	carry = 0;
	for (i = 0; i < nr; i++) {
		carry += (u64)u[i] + v[i];
		u[i] = carry;
		carry >>= 32;
	}
	u[nr] = 0;
	return digit - 1;
}

/* Quotient of two 64-bit digits by one; @high is less than @den. */
static inline u64 wide_div_word(u64 high, u64 low, u64 den, u64 *rem)
{
	int shift = 64 - fls64(den);
	u32 v[2], u[4], digit;

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
	v[0] = den;
	v[1] = den >> 32;
	u[0] = low;
	u[1] = low >> 32;
	u[2] = high;
	u[3] = high >> 32;
	digit = wide_div_digit(u + 1, v, 2);
	low = (u64)digit << 32 | wide_div_digit(u, v, 2);
	*rem = ((u64)u[1] << 32 | u[0]) >> shift;
	return low;
}

/* num = quot * den + rem, rem < den; den is not 0. */
static inline void wide_div(const struct n3t_wide *num, const struct n3t_wide *den,
			    struct n3t_wide *quot, struct n3t_wide *rem)
{
	int num_nr = DIV_ROUND_UP(wide_bits(num), 32), nr = DIV_ROUND_UP(wide_bits(den), 32);
	int shift = 32 * nr - wide_bits(den);
	struct n3t_wide shifted = *den;
	u32 u[WIDE_HALVES + 1], v[WIDE_HALVES];
	u64 rest = 0;
	int i;

	wide_set(quot, 0);
	if (nr <= 2) {
		for (i = wide_words(num) - 1; i >= 0; i--)
			quot->w[i] = wide_div_word(rest, num->w[i], den->w[0], &rest);
		wide_set(rem, rest);
		return;
	}

	*rem = *num;
	if (num_nr < nr)
		return;

	wide_shl(&shifted, shift);
	for (i = 0; i < nr; i++)
		v[i] = half_get(&shifted, i);
	u[num_nr] = (u64)half_get(num, num_nr - 1) << shift >> 32;
	shifted = *num;
	wide_shl(&shifted, shift);
	for (i = 0; i < num_nr; i++)
		u[i] = half_get(&shifted, i);

	for (i = num_nr - nr; i >= 0; i--)
		half_set(quot, i, wide_div_digit(u + i, v, nr));

	wide_set(rem, 0);
	for (i = 0; i < nr; i++)
		half_set(rem, i, u[i]);
	wide_shr(rem, shift);
}

#endif /* _N3T_WIDE_H */
