// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Half of a 95 % interval from a variance, by Student's t. */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <kunit/visibility.h>

#include "student.h"

/*
 * Student's t, 97.5 % quantile, in thousandths. Source: NIST/SEMATECH e-Handbook
 * of Statistical Methods, section 1.3.6.7.2.
 */
static const u16 quantiles[] = {
	0,     12706, 4303, 3182, 2776, 2571, 2447, 2365, 2306, 2262, 2228,
	/* 11 */ 2201, 2179, 2160, 2145, 2131, 2120, 2110, 2101, 2093, 2086,
	/* 21 */ 2080, 2074, 2069, 2064, 2060, 2056, 2052, 2048, 2045, 2042,
};

/* Between two rows of the table the wider interval, that of the former, is taken. */
static unsigned int quantile(u64 freedom)
{
	if (freedom < ARRAY_SIZE(quantiles))
		return quantiles[freedom];
	if (freedom < 40)
		return quantiles[30];
	if (freedom < 60)
		return 2021;
	if (freedom < 100)
		return 2000;
	return 1984;
}

/* Square root, rounded down, to 31 bits or more. */
static u64 root(struct n3t_wide *square)
{
	unsigned int shift = 0;

	while (square->w[1] || square->w[2] || square->w[3]) {
		wide_shr(square, 1);
		wide_shr(square, 1);
		shift++;
	}
	return shift < 32 ? (u64)int_sqrt64(square->w[0]) << shift : U64_MAX;
}

/**
 * n3t_student_half() - how far from the value a 95 % interval reaches
 * @variance: of the value
 * @freedom: degrees of freedom, at least 1
 *
 * Return: t * sqrt(@variance), exact to some 9 digits, rounded down; U64_MAX
 * if it is beyond 64 bits
 */
u64 n3t_student_half(const struct n3t_wide *variance, u64 freedom)
{
	u64 t = quantile(freedom);
	struct n3t_wide factor, divisor, product, square, rem;

	wide_set(&factor, t * t);
	wide_set(&divisor, 1000 * 1000);
	if (wide_mul(&product, variance, &factor))
		return U64_MAX;
	wide_div(&product, &divisor, &square, &rem);
	return root(&square);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_student_half);
