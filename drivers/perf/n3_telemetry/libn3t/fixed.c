// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Exact signed ratios of counts without floating point.
 *
 * Nothing is rounded before it is printed: a ratio keeps numerator and
 * denominator as they are, and common factors are not cancelled.
 *
 * Why 256 bits are enough: bad_speculation is the widest formula of the
 * tables. With 64-bit counts, numerators and denominators have at most
 *
 *	1 - STALL_SLOT / (5 * CPU_CYCLES)	 67 and  67 bits
 *	1 - OP_RETIRED / OP_SPEC		 64 and  64
 *	their product * 100			138 and 131
 *	STALL_FRONTEND_FLUSH / CPU_CYCLES * 100	 71 and  64
 *	the sum					203 and 195
 *
 * Printing multiplies by a power of ten, or goes digit by digit.
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <kunit/visibility.h>

#include "libn3t/fixed.h"

#define WIDE_DIGITS	78	/* of 2^256 - 1 in decimal */

/* The next decimal of rem / den, where rem < den; rem becomes the new remainder. */
static unsigned int next_decimal(struct n3t_wide *rem, const struct n3t_wide *den)
{
	unsigned int carry = wide_mul10(rem);
	unsigned int digit = 0;

	while (digit < 9 && (carry || wide_cmp(rem, den) >= 0)) {
		carry -= wide_sub(rem, den);
		digit++;
	}
	return digit;
}

/* Is rem / den, where rem < den, half or more? */
static bool rounds_up(const struct n3t_wide *rem, const struct n3t_wide *den)
{
	struct n3t_wide missing = *den;

	wide_sub(&missing, rem);
	return wide_cmp(rem, &missing) >= 0;
}

/* Sets a ratio to an integer. */
void n3t_ratio_set(struct n3t_ratio *r, u64 value)
{
	r->negative = false;
	wide_set(&r->num, value);
	wide_set(&r->den, 1);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ratio_set);

/* a += b, with the given sign for b. */
static int ratio_sum(struct n3t_ratio *a, const struct n3t_ratio *b, bool b_negative)
{
	struct n3t_wide x = a->num, y = b->num, den = a->den;
	bool negative = a->negative;

	/* Equal denominators: keep their width. */
	if (wide_cmp(&a->den, &b->den)) {
		if (wide_mul(&x, &a->num, &b->den) ||
		    wide_mul(&y, &b->num, &a->den) ||
		    wide_mul(&den, &a->den, &b->den))
			return -EOVERFLOW;
	}

	if (negative == b_negative) {
		if (wide_add(&x, &y))
			return -EOVERFLOW;
	} else if (wide_cmp(&x, &y) >= 0) {
		wide_sub(&x, &y);
	} else {
		wide_sub(&y, &x);
		x = y;
		negative = b_negative;
	}

	a->negative = negative && !wide_is_zero(&x);
	a->num = x;
	a->den = den;
	return 0;
}

/**
 * n3t_ratio_add() - add two ratios
 * @a: first summand, then the sum
 * @b: second summand
 *
 * With equal denominators the sum keeps the denominator.
 *
 * Return: 0, or -EOVERFLOW if the sum exceeds 256 bits, with @a unchanged.
 */
int n3t_ratio_add(struct n3t_ratio *a, const struct n3t_ratio *b)
{
	return ratio_sum(a, b, b->negative);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ratio_add);

/* As n3t_ratio_add(), for the difference. */
int n3t_ratio_sub(struct n3t_ratio *a, const struct n3t_ratio *b)
{
	return ratio_sum(a, b, !b->negative);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ratio_sub);

/* As n3t_ratio_add(), for the product. */
int n3t_ratio_mul(struct n3t_ratio *a, const struct n3t_ratio *b)
{
	struct n3t_wide num, den;

	if (wide_mul(&num, &a->num, &b->num))
		return -EOVERFLOW;
	if (wide_is_one(&b->den))
		den = a->den;
	else if (wide_mul(&den, &a->den, &b->den))
		return -EOVERFLOW;

	a->negative = a->negative != b->negative && !wide_is_zero(&num);
	a->num = num;
	a->den = den;
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ratio_mul);

/**
 * n3t_ratio_div() - divide a ratio by another
 * @a: dividend, then the quotient
 * @b: divisor
 *
 * Return: 0, -EDOM if @b is zero, or -EOVERFLOW if the quotient exceeds 256 bits; on
 * error @a is unchanged.
 */
int n3t_ratio_div(struct n3t_ratio *a, const struct n3t_ratio *b)
{
	struct n3t_ratio inverse = {
		.negative = b->negative,
		.num = b->den,
		.den = b->num,
	};

	if (wide_is_zero(&b->num))
		return -EDOM;
	return n3t_ratio_mul(a, &inverse);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ratio_div);

/* Write the digits of a backwards from the end of text; returns their number. */
static unsigned int integer_digits(char *end, struct n3t_wide *a)
{
	unsigned int nr = 0;

	do {
		*--end = '0' + wide_div10(a);
		nr++;
	} while (!wide_is_zero(a));
	return nr;
}

/*
 * Increment the decimal number in digit[0..nr-1] by one unit of its last place.
 * digit[-1] is reserved for a carry; returns whether it is used.
 */
static bool count_up(char *digit, unsigned int nr)
{
	while (nr-- > 0) {
		if (digit[nr] != '9') {
			digit[nr]++;
			return false;
		}
		digit[nr] = '0';
	}
	digit[-1] = '1';
	return true;
}

static bool all_zero(const char *digit, unsigned int nr)
{
	while (nr-- > 0)
		if (digit[nr] != '0')
			return false;
	return true;
}

/* As snprintf() does; returns the length of the whole text. */
static size_t copy_out(char *buf, size_t size, const char *text, size_t len)
{
	size_t copied;

	if (size) {
		copied = min(len, size - 1);
		memcpy(buf, text, copied);
		buf[copied] = '\0';
	}
	return len;
}

/**
 * n3t_ratio_magnitude() - a ratio as an integer with implied decimal places
 * @r: the ratio, whose sign is ignored
 * @decimals: decimal places to keep, at most N3T_MAX_DECIMALS
 * @magnitude: |@r| * 10^@decimals, rounded to nearest, ties upward
 *
 * Return: false if that exceeds 64 bits, or 256 bits on the way.
 */
bool n3t_ratio_magnitude(const struct n3t_ratio *r, unsigned int decimals, u64 *magnitude)
{
	struct n3t_wide num, factor, quot, rem;

	wide_set(&factor, int_pow(10, decimals));
	if (wide_mul(&num, &r->num, &factor))
		return false;
	wide_div(&num, &r->den, &quot, &rem);
	if (rounds_up(&rem, &r->den))
		wide_add(&quot, &(struct n3t_wide){ .w[0] = 1 });
	*magnitude = quot.w[0];
	return wide_is_word(&quot);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ratio_magnitude);

/* Prepend the last digit of a number. */
static __always_inline char *put_digit(char *first, u64 *number)
{
	*--first = '0' + *number % 10;
	*number /= 10;
	return first;
}

/* Print an integer with implied decimal places: the case of nearly all values. */
static size_t print_scaled(char *buf, size_t size, u64 magnitude, bool negative,
			   unsigned int decimals)
{
	char text[N3T_SCALED_SIZE], *first = text + sizeof(text);

	negative &= !!magnitude;
	if (decimals) {
		while (decimals-- > 0)
			first = put_digit(first, &magnitude);
		*--first = '.';
	}
	do {
		first = put_digit(first, &magnitude);
	} while (magnitude);
	if (negative)
		*--first = '-';

	/* Keeps a fortified memcpy() from computing the remaining size at every digit. */
	OPTIMIZER_HIDE_VAR(first);
	return copy_out(buf, size, first, text + sizeof(text) - first);
}

/* Print digit by digit, for values that exceed 64 bits. */
static noinline size_t print_digits(char *buf, size_t size, const struct n3t_ratio *r,
				    unsigned int decimals)
{
	/* And a sign, a carry, a point. */
	char digits[2 + WIDE_DIGITS + 1 + N3T_MAX_DECIMALS];
	char *point = digits + 2 + WIDE_DIGITS;
	struct n3t_wide quot, rem;
	unsigned int i, nr;
	bool is_negative;
	char *first;

	wide_div(&r->num, &r->den, &quot, &rem);
	nr = integer_digits(point, &quot);
	first = point - nr;
	for (i = 0; i < decimals; i++)
		point[i] = '0' + next_decimal(&rem, &r->den);
	nr += decimals;

	if (rounds_up(&rem, &r->den) && count_up(first, nr)) {
		first--;
		nr++;
	}

	is_negative = r->negative && !all_zero(first, nr);
	if (decimals) {
		memmove(point + 1, point, decimals);
		*point = '.';
		nr++;
	}
	if (is_negative) {
		*--first = '-';
		nr++;
	}
	return copy_out(buf, size, first, nr);
}

/**
 * n3t_ratio_print() - a ratio as decimal text
 * @buf: output buffer; always terminated unless @size is 0
 * @size: its size in bytes
 * @r: the ratio, of any width
 * @decimals: digits after the point, at most N3T_MAX_DECIMALS; 0 for no point
 *
 * The exact value is rounded to nearest at the last digit printed, ties away
 * from zero. A value that rounds to zero has no sign.
 *
 * Return: length of the whole text, even if @size is too small for it
 */
int n3t_ratio_print(char *buf, size_t size, const struct n3t_ratio *r, unsigned int decimals)
{
	u64 magnitude;

	decimals = min_t(unsigned int, decimals, N3T_MAX_DECIMALS);
	if (n3t_ratio_magnitude(r, decimals, &magnitude))
		return print_scaled(buf, size, magnitude, r->negative, decimals);
	return print_digits(buf, size, r, decimals);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ratio_print);
