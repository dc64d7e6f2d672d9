/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Exact signed ratios of counts without floating point.
 *
 * A ratio is a sign and two 256-bit magnitudes. The formulas of the tables
 * need at most 203 bits for any 64-bit counts, so nothing in them overflows.
 */
#ifndef _N3T_FIXED_H
#define _N3T_FIXED_H

#include "libn3t/wide.h"

#define N3T_MAX_DECIMALS	18
#define N3T_SCALED_SIZE		24	/* any s64 with a point in it */
#define N3T_RATIO_SIZE		64	/* the longest value has some 40 characters */

/**
 * struct n3t_ratio - a signed quotient, not reduced
 * @negative: sign (never set for zero)
 * @num: numerator
 * @den: denominator, not 0
 */
struct n3t_ratio {
	bool negative;
	struct n3t_wide num;
	struct n3t_wide den;
};

void n3t_ratio_set(struct n3t_ratio *r, u64 value);
int n3t_ratio_add(struct n3t_ratio *a, const struct n3t_ratio *b);
int n3t_ratio_sub(struct n3t_ratio *a, const struct n3t_ratio *b);
int n3t_ratio_mul(struct n3t_ratio *a, const struct n3t_ratio *b);
int n3t_ratio_div(struct n3t_ratio *a, const struct n3t_ratio *b);
int n3t_ratio_print(char *buf, size_t size, const struct n3t_ratio *r, unsigned int decimals);
bool n3t_ratio_magnitude(const struct n3t_ratio *r, unsigned int decimals, u64 *magnitude);

#endif /* _N3T_FIXED_H */
