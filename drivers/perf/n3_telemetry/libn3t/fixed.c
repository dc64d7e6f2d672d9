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
 * Printing and scaling go digit by digit and need no more.
 */
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/math64.h>
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

/**
 * n3t_ratio_set() - set a ratio to an integer
 * @r: the ratio
 * @value: the integer
 */
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

/**
 * n3t_ratio_sub() - subtract a ratio from another
 * @a: minuend, then the difference
 * @b: subtrahend
 *
 * Return: 0, or -EOVERFLOW if the difference exceeds 256 bits, with @a unchanged.
 */
int n3t_ratio_sub(struct n3t_ratio *a, const struct n3t_ratio *b)
{
	return ratio_sum(a, b, !b->negative);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ratio_sub);

/**
 * n3t_ratio_mul() - multiply two ratios
 * @a: first factor, then the product
 * @b: second factor
 *
 * Return: 0, or -EOVERFLOW if the product exceeds 256 bits, with @a unchanged.
 */
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

struct text {
	char *buf;
	size_t size;
	size_t len;
};

static void put(struct text *text, char c)
{
	if (text->len + 1 < text->size)
		text->buf[text->len] = c;
	text->len++;
}

/*
 * Magnitude of @r * 10^@decimals, truncated, and the remainder; false if it exceeds
 * 64 bits.
 */
static bool cut_off(const struct n3t_ratio *r, unsigned int decimals, u64 *magnitude,
		    struct n3t_wide *rem)
{
	struct n3t_wide num = r->num, factor, quot;
	u64 value;

	/* All digits at once if they fit, otherwise one by one. */
	if (decimals <= N3T_MAX_DECIMALS) {
		wide_set(&factor, int_pow(10, decimals));
		if (!wide_mul(&num, &num, &factor))
			decimals = 0;
	}
	wide_div(&num, &r->den, &quot, rem);
	if (wide_words(&quot) > 1)
		return false;

	value = quot.w[0];
	while (decimals-- > 0) {
		if (value > (U64_MAX - 9) / 10)
			return false;
		value = 10 * value + next_decimal(rem, &r->den);
	}
	*magnitude = value;
	return true;
}

/* As cut_off(), but rounded to nearest, ties upward. */
static bool scale(const struct n3t_ratio *r, unsigned int decimals, u64 *magnitude)
{
	struct n3t_wide rem;
	unsigned int up;

	if (!cut_off(r, decimals, magnitude, &rem))
		return false;
	up = rounds_up(&rem, &r->den);
	*magnitude += up;
	return *magnitude >= up;
}

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
	size_t len, copied;

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

	len = text + sizeof(text) - first;
	/* Keeps a fortified memcpy() from computing the remaining size at every digit. */
	OPTIMIZER_HIDE_VAR(first);
	if (size) {
		copied = min(len, size - 1);
		memcpy(buf, first, copied);
		buf[copied] = '\0';
	}
	return len;
}

/* Print digit by digit, for values that exceed 64 bits. */
static noinline size_t print_digits(char *buf, size_t size, const struct n3t_ratio *r,
				    unsigned int decimals)
{
	char digits[1 + WIDE_DIGITS + N3T_MAX_DECIMALS];
	char *point = digits + 1 + WIDE_DIGITS;
	struct text text = { buf, size, 0 };
	struct n3t_wide quot, rem;
	unsigned int i, nr;
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

	if (r->negative && !all_zero(first, nr))
		put(&text, '-');
	for (; nr > 0; nr--, first++) {
		if (first == point)
			put(&text, '.');
		put(&text, *first);
	}
	if (size)
		buf[min(text.len, size - 1)] = '\0';
	return text.len;
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
	if (scale(r, decimals, &magnitude))
		return print_scaled(buf, size, magnitude, r->negative, decimals);
	return print_digits(buf, size, r, decimals);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ratio_print);

/**
 * n3t_ratio_scaled() - a ratio as an integer with implied decimal places
 * @r: the ratio, of any width
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

	if (!scale(r, decimals, &magnitude) || magnitude > limit)
		return r->negative ? S64_MIN : S64_MAX;
	return r->negative ? -magnitude : magnitude;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ratio_scaled);

/**
 * n3t_ratio_cut_off() - a ratio as a truncated integer with implied decimal places
 * @r: the ratio, of any width
 * @decimals: decimal places to keep
 *
 * Return: @r * 10^@decimals, rounded towards zero; saturates at S64_MAX and S64_MIN.
 * n3t_scaled_round() rounds it to the result of n3t_ratio_scaled() for fewer decimals.
 */
s64 n3t_ratio_cut_off(const struct n3t_ratio *r, unsigned int decimals)
{
	struct n3t_wide rem;
	u64 magnitude;

	if (!cut_off(r, decimals, &magnitude, &rem) || magnitude > S64_MAX)
		return r->negative ? S64_MIN : S64_MAX;
	return r->negative ? -magnitude : magnitude;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_ratio_cut_off);

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

	magnitude = div64_u64(magnitude + unit / 2, unit);
	return scaled < 0 ? -magnitude : magnitude;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_scaled_round);

/**
 * n3t_scaled_print() - an integer with implied decimal places as decimal text
 * @buf: output buffer
 * @size: its size in bytes; N3T_SCALED_SIZE always suffices
 * @scaled: the number, as from n3t_ratio_scaled()
 * @decimals: decimal places in it, at most N3T_MAX_DECIMALS
 *
 * Return: length of the whole text
 */
size_t n3t_scaled_print(char *buf, size_t size, s64 scaled, unsigned int decimals)
{
	u64 magnitude = scaled < 0 ? -(u64)scaled : (u64)scaled;

	return print_scaled(buf, size, magnitude, scaled < 0, decimals);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_scaled_print);
