// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Ratios as 64-bit integers with implied decimal places. */
#include <linux/limits.h>
#include <linux/math.h>

#include "libn3telemetry/stats/scaled.h"

/**
 * n3t_ratio_scaled() - a ratio as an integer with implied decimal places
 * @r: the ratio
 * @decimals: decimal places to keep
 *
 * The same digits as from n3t_ratio_print(), without the point.
 *
 * Return: @r * 10^@decimals, rounded to nearest, ties away from zero; saturates
 * at S64_MAX and S64_MIN
 */
s64 n3t_ratio_scaled(const struct n3t_ratio *r, unsigned int decimals)
{
	u64 limit = r->negative ? (u64)S64_MAX + 1 : S64_MAX;
	u64 magnitude;

	if (!n3t_ratio_magnitude(r, decimals, &magnitude) || magnitude > limit)
		return r->negative ? S64_MIN : S64_MAX;
	return r->negative ? -magnitude : magnitude;
}

/**
 * n3t_ratio_cut_off() - a ratio as a truncated integer with implied decimal places
 * @r: the ratio
 * @decimals: decimal places to keep
 *
 * Return: @r * 10^@decimals, rounded towards zero; saturates at S64_MAX and S64_MIN.
 * n3t_scaled_round() rounds it to the result of n3t_ratio_scaled() for fewer decimals.
 */
s64 n3t_ratio_cut_off(const struct n3t_ratio *r, unsigned int decimals)
{
	struct n3t_wide num, factor, quot, rem;

	wide_set(&factor, int_pow(10, decimals));
	if (wide_mul(&num, &r->num, &factor))
		return r->negative ? S64_MIN : S64_MAX;
	wide_div(&num, &r->den, &quot, &rem);
	if (!wide_is_word(&quot) || quot.w[0] > S64_MAX)
		return r->negative ? S64_MIN : S64_MAX;
	return r->negative ? -quot.w[0] : quot.w[0];
}

/**
 * n3t_scaled_round() - remove decimal places
 * @scaled: an integer with implied decimal places
 * @unit: 10 to the power of the number of decimal places to remove
 *
 * Return: @scaled / @unit, rounded to nearest, ties away from zero.
 */
s64 n3t_scaled_round(s64 scaled, u32 unit)
{
	u64 magnitude = scaled < 0 ? -(u64)scaled : (u64)scaled;

	magnitude = (magnitude + unit / 2) / unit;
	return scaled < 0 ? -magnitude : magnitude;
}

/**
 * n3t_text_add_scaled() - append an integer with implied decimal places
 * @text: the text
 * @scaled: the number, as from n3t_ratio_scaled()
 * @decimals: decimal places in it, at most N3T_MAX_DECIMALS
 */
void n3t_text_add_scaled(struct n3t_text *text, s64 scaled, unsigned int decimals)
{
	u64 magnitude = scaled < 0 ? -(u64)scaled : (u64)scaled;
	struct n3t_ratio ratio = {
		.negative = scaled < 0,
		.num.w[0] = magnitude,
		.den.w[0] = int_pow(10, decimals),
	};

	n3t_text_add_ratio(text, &ratio, decimals);
}
