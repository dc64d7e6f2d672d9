/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Unsigned arithmetic with 256 bits, as far as fixed.c needs it. */
#ifndef _N3T_WIDE_H
#define _N3T_WIDE_H

#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <linux/types.h>

#define WIDE_WORDS	4
#define WIDE_HALVES	(2 * WIDE_WORDS)	/* 32-bit halves of the words */

/**
 * struct n3t_wide - an unsigned number of 256 bits
 * @w: its words, least significant first
 */
struct n3t_wide {
	u64 w[4];
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

/* Significant bits, 0 for zero. */
static inline int wide_bits(const struct n3t_wide *a)
{
	int i;

	for (i = WIDE_WORDS - 1; i >= 0; i--)
		if (a->w[i])
			return 64 * i + fls64(a->w[i]);
	return 0;
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

/* product = a * b, or -EOVERFLOW and no product. */
static inline int wide_mul(struct n3t_wide *product, const struct n3t_wide *a,
			   const struct n3t_wide *b)
{
	u32 sum[2 * WIDE_HALVES] = {};
	unsigned int i, k;
	u64 carry;

	for (i = 0; i < WIDE_HALVES; i++) {
		carry = 0;
		for (k = 0; k < WIDE_HALVES; k++) {
			carry += (u64)half_get(a, i) * half_get(b, k) + sum[i + k];
			sum[i + k] = carry;
			carry >>= 32;
		}
		sum[i + k] = carry;
	}

	for (i = WIDE_HALVES; i < 2 * WIDE_HALVES; i++)
		if (sum[i])
			return -EOVERFLOW;
	for (i = 0; i < WIDE_HALVES; i++)
		half_set(product, i, sum[i]);
	return 0;
}

/* a *= 10; returns what does not fit, less than 10. */
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
	u32 half, high, low, rest = 0;
	unsigned int i;

	/* 16 bits at a time, so that 32-bit division will do everywhere. */
	for (i = WIDE_HALVES; i-- > 0;) {
		half = half_get(a, i);
		high = rest << 16 | half >> 16;
		low = high % 10 << 16 | (half & U16_MAX);
		half_set(a, i, high / 10 << 16 | low / 10);
		rest = low % 10;
	}
	return rest;
}

/* a <<= shift, for a shift that loses no bit. */
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

/* a >>= 1 */
static inline void wide_half(struct n3t_wide *a)
{
	int i;

	for (i = 0; i < WIDE_WORDS - 1; i++)
		a->w[i] = a->w[i] >> 1 | a->w[i + 1] << 63;
	a->w[i] >>= 1;
}

/* num = whole * den + rest, rest < den */
static inline void wide_div(const struct n3t_wide *num, const struct n3t_wide *den,
			    struct n3t_wide *whole, struct n3t_wide *rest)
{
	int shift = wide_bits(num) - wide_bits(den);
	struct n3t_wide part = *den;

	memset(whole, 0, sizeof(*whole));
	*rest = *num;
	if (shift < 0)
		return;

	wide_shl(&part, shift);
	for (; shift >= 0; shift--) {
		if (wide_cmp(rest, &part) >= 0) {
			wide_sub(rest, &part);
			whole->w[shift / 64] |= 1ULL << (shift % 64);
		}
		wide_half(&part);
	}
}

static inline bool wide_is_zero(const struct n3t_wide *a)
{
	return !wide_bits(a);
}

static inline void wide_set(struct n3t_wide *a, u64 value)
{
	memset(a, 0, sizeof(*a));
	a->w[0] = value;
}

#endif /* _N3T_WIDE_H */
