// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Half-width of a 95 % interval from a variance, by Student's t. */
#include <linux/export.h>
#include <linux/kernel.h>
#include <kunit/visibility.h>

#include "libn3t/stats/student.h"

/*
 * Student's t, 97.5 % quantile, in thousandths. Source: NIST/SEMATECH e-Handbook
 * of Statistical Methods, section 1.3.6.7.2.
 */
static const u16 quantiles[] = {
	0,     12706, 4303, 3182, 2776, 2571, 2447, 2365, 2306, 2262, 2228,
	/* 11 */ 2201, 2179, 2160, 2145, 2131, 2120, 2110, 2101, 2093, 2086,
	/* 21 */ 2080, 2074, 2069, 2064, 2060, 2056, 2052, 2048, 2045, 2042,
};

/* Between two rows of the table the former applies, with the wider interval. */
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

/**
 * n3t_student_half() - half-width of a 95 % interval
 * @variance: variance of the value
 * @freedom: degrees of freedom, at least 1
 *
 * Return: t * sqrt(@variance)
 */
struct n3t_real n3t_student_half(struct n3t_real variance, u64 freedom)
{
	struct n3t_real half = n3t_real_mul(n3t_real_sqrt(variance),
					    n3t_real_count(quantile(freedom)));

	return n3t_real_div(half, n3t_real_count(1000));
}
EXPORT_SYMBOL_IF_KUNIT(n3t_student_half);
