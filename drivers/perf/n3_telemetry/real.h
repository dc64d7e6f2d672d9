/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Real numbers to some nine digits, for errors of values: without floating point,
 * which the kernel must not use, and without the exactness that values need.
 */
#ifndef _N3T_REAL_H
#define _N3T_REAL_H

#include <linux/types.h>

#define N3T_REAL_BITS	31	/* of the magnitude of a mantissa */

/**
 * struct n3t_real - @mantissa * 2^@exponent
 * @mantissa: with N3T_REAL_BITS significant bits, or 0
 * @exponent: anything for 0
 */
struct n3t_real {
	s32 mantissa;
	s32 exponent;
};

struct n3t_real n3t_real_make(s64 mantissa, int exponent);
struct n3t_real n3t_real_count(u64 count);
struct n3t_real n3t_real_add(struct n3t_real a, struct n3t_real b);
struct n3t_real n3t_real_mul(struct n3t_real a, struct n3t_real b);
struct n3t_real n3t_real_div(struct n3t_real a, struct n3t_real b);
struct n3t_real n3t_real_sqrt(struct n3t_real a);
u64 n3t_real_ceil(struct n3t_real a);

static inline struct n3t_real n3t_real_neg(struct n3t_real a)
{
	a.mantissa = -a.mantissa;
	return a;
}

static inline bool n3t_real_is_zero(struct n3t_real a)
{
	return !a.mantissa;
}

#endif /* _N3T_REAL_H */
