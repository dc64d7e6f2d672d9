// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Cells of recordings: a value and its estimate as integers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/errors.h"
#include "lib/memory.h"
#include "recording_cell.h"

#define MOST		9007199254740992LL	/* 2^53, exact in a double */
#define HALF_STEPS	64		/* codes of half widths per power of two */
#define MAX_CODE	((54 - 6) * HALF_STEPS + HALF_STEPS)
#define MAX_SKEW	2		/* error of an interval, in units of its last digit */
#define QUALITY_PARTS	5		/* fields of a value with its quality */
#define CELL_PARTS	8		/* and with its estimate */

const struct recording_part_info recording_parts[NR_PARTS] = {
	[PART_NUMBER] = { KIND_NUMBER, LESS_BEFORE },
	[PART_VALUE] = { KIND_ESTIMATE, LESS_NOTHING },
	[PART_HALF] = { KIND_RANGE, LESS_BEFORE },
	[PART_ESTIMATE_HALF] = { KIND_ESTIMATE_RANGE, LESS_BEFORE },
	[PART_COVERAGE] = { KIND_QUALITY, LESS_DRIFT },
	[PART_SLICES] = { KIND_QUALITY, LESS_DRIFT },
};

static const double powers[KIND_MAX_DECIMALS + 1] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7 };

static unsigned int decimals_of(unsigned char kind)
{
	return (kind & KIND_DECIMALS) >> KIND_DECIMALS_SHIFT;
}

/* snprintf() would dominate the time of reading a recording. */
static void format_number(char text[VALUE_TEXT], int64_t number, unsigned int decimals)
{
	uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
	char digits[24], *at = digits + sizeof(digits);
	unsigned int nr = 0;

	*--at = '\0';
	while (rest || nr <= decimals) {
		if (nr++ == decimals && decimals)
			*--at = '.';
		*--at = (char)('0' + rest % 10);
		rest /= 10;
	}
	if (number < 0)
		*--at = '-';
	memcpy(text, at, digits + sizeof(digits) - at);
}

/* Return: whether the value is an integer in units of the last digit. */
static bool take_number(int64_t *number, double value, unsigned int decimals)
{
	double units = nearbyint(value * powers[decimals]);

	if (!(fabs(units) < MOST) || units / powers[decimals] != value)
		return false;
	*number = (int64_t)units;
	return true;
}

static bool take_text(int64_t *number, const struct value *value, unsigned int decimals)
{
	char text[VALUE_TEXT];

	if (!value->is_number || !take_number(number, value->number, decimals))
		return false;
	format_number(text, *number, decimals);
	return !strcmp(text, value->text);
}

/* Return: the half width in 7 bits and an exponent, rounded up. */
static int64_t code_of_half(int64_t half)
{
	int64_t rounded = half;
	int shift = 0;

	while (rounded >= 2 * HALF_STEPS) {
		shift++;
		rounded = (half + (1LL << shift) - 1) >> shift;
	}
	return rounded + shift * HALF_STEPS;
}

static int64_t half_of_code(int64_t code)
{
	int64_t shift = code / HALF_STEPS - 1;

	return shift <= 0 ? code : (code - shift * HALF_STEPS) << shift;
}

/* The module rounds intervals that are symmetric about the unrounded value. */
static bool take_half(int64_t *code, const struct value *value, int64_t number,
		      unsigned int decimals)
{
	int64_t low, high, half;

	if (!take_number(&low, value->low, decimals) || !take_number(&high, value->high, decimals))
		return false;
	half = number - low > high - number ? number - low : high - number;
	if (2 * half > high - low + MAX_SKEW)
		return false;
	*code = code_of_half(half);
	return true;
}

static bool take_quality(struct recording_cell *cell, const struct value *value)
{
	if (!value->has_coverage)
		return true;
	cell->kind |= KIND_QUALITY;
	cell->part[PART_SLICES] = (int64_t)value->slices;
	return value->slices < MOST && take_number(&cell->part[PART_COVERAGE], value->coverage, 2);
}

static bool is_same(const struct value *a, const struct value *b)
{
	return !strcmp(a->text, b->text) && a->has_range == b->has_range && a->low == b->low &&
	       a->high == b->high;
}

static bool take_estimate(struct recording_cell *cell, const struct value *estimate,
			  int64_t value, unsigned int decimals)
{
	int64_t *part = cell->part;

	cell->kind |= KIND_ESTIMATE;
	if (!take_text(&part[PART_NUMBER], estimate, decimals))
		return false;
	part[PART_VALUE] = value - part[PART_NUMBER];
	if (!estimate->has_range)
		return true;
	cell->kind |= KIND_ESTIMATE_RANGE;
	return take_half(&part[PART_ESTIMATE_HALF], estimate, part[PART_NUMBER], decimals);
}

/* Return: false unless it is a number that integers represent exactly. */
static bool take_numbers(struct recording_cell *cell, const struct value *value,
			 const struct value *estimate)
{
	const char *point = strchr(value->text, '.');
	size_t decimals = point ? strlen(point + 1) : 0;
	int64_t number;

	if (decimals > KIND_MAX_DECIMALS || !take_text(&number, value, decimals) ||
	    !take_quality(cell, value))
		return false;
	cell->kind |= KIND_NUMBER | decimals << KIND_DECIMALS_SHIFT;
	cell->part[PART_NUMBER] = number;
	if (!value->has_coverage)
		return true;
	if (value->has_range) {
		cell->kind |= KIND_RANGE;
		if (!take_half(&cell->part[PART_HALF], value, number, decimals))
			return false;
	}
	return is_same(value, estimate) || take_estimate(cell, estimate, number, decimals);
}

/* Text has no exponents. */
static void print_number(FILE *out, double number)
{
	bool tiny = number != 0 && fabs(number) < 0.0001;

	fprintf(out, tiny ? ":%.7f" : ":%.15g", number);
}

static void print_range(FILE *out, const struct value *value)
{
	if (value->has_range) {
		print_number(out, value->low);
		print_number(out, value->high);
	} else {
		fputs(":-:-", out);
	}
}

static void print_value(FILE *out, const struct value *value, const struct value *estimate)
{
	fputs(value->text, out);
	if (!value->has_coverage)
		return;
	print_range(out, value);
	print_number(out, value->coverage);
	fprintf(out, ":%lu", value->slices);
	if (is_same(value, estimate))
		return;
	fprintf(out, ":%s", estimate->text);
	print_range(out, estimate);
}

/* Irregular cells are text: a number with other digits, an interval of a word. */
static char *make_text(const struct value *value, const struct value *estimate)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		out_of_memory();
	print_value(out, value, estimate);
	if (fclose(out))
		out_of_memory();
	return text;
}

static bool take_word(struct recording_cell *cell, const struct value *value,
		      const struct value *estimate)
{
	if (value->is_number || value->has_range || !is_same(value, estimate) ||
	    !take_quality(cell, value))
		return false;
	cell->text = xstrdup(value->text);
	return true;
}

static const char *text_of(const struct recording_cell *cell)
{
	return cell->text ? cell->text : NO_VALUE;
}

static bool is_as_before(const struct recording_cell *cell, const struct recording_cell *before)
{
	if (cell->kind != before->kind)
		return false;
	for (enum recording_part part = 0; part < NR_PARTS; part++)
		if (recording_cell_has(cell->kind, part) && cell->part[part] != before->part[part])
			return false;
	return true;
}

/* A word that lost its coverage is rewritten, as kind 0 would mean unchanged. */
static bool needs_text(const struct recording_cell *cell, const struct recording_cell *before)
{
	if (cell->kind & KIND_NUMBER)
		return false;
	return before->kind & KIND_NUMBER || (!cell->kind && before->kind) ||
	       strcmp(text_of(cell), text_of(before));
}

unsigned char recording_cell_take(struct recording_cell *cell, const struct value *value,
				  const struct value *estimate)
{
	const struct recording_cell before = *cell;
	unsigned char kind;

	cell->kind = 0;
	cell->text = NULL;
	if (!take_numbers(cell, value, estimate)) {
		*cell = before;
		cell->kind = 0;
		if (!take_word(cell, value, estimate)) {
			*cell = before;
			cell->kind = 0;
			cell->text = make_text(value, estimate);
		}
	}
	kind = cell->kind;
	if (needs_text(cell, &before))
		kind |= KIND_TEXT;
	else if (is_as_before(cell, &before))
		kind = KIND_SAME;
	free(before.text);
	return kind;
}

static bool is_between(const struct recording_cell *cell, enum recording_part part, int64_t least,
		       int64_t most)
{
	return !recording_cell_has(cell->kind, part) ||
	       (cell->part[part] >= least && cell->part[part] <= most);
}

bool recording_cell_is_sane(const struct recording_cell *cell)
{
	if (!(cell->kind & KIND_NUMBER) && cell->kind & ~KIND_QUALITY)
		return false;
	return is_between(cell, PART_NUMBER, -MOST, MOST) &&
	       is_between(cell, PART_VALUE, -2 * MOST, 2 * MOST) &&
	       is_between(cell, PART_HALF, 0, MAX_CODE) &&
	       is_between(cell, PART_ESTIMATE_HALF, 0, MAX_CODE) &&
	       is_between(cell, PART_COVERAGE, 0, MOST) && is_between(cell, PART_SLICES, 0, MOST);
}

void recording_cell_quality(struct value *value, const struct recording_cell *cell)
{
	if (!(cell->kind & KIND_QUALITY))
		return;
	value->has_coverage = true;
	value->coverage = (double)cell->part[PART_COVERAGE] / 100;
	value->slices = (unsigned long)cell->part[PART_SLICES];
}

static struct value make_value(const struct recording_cell *cell, const int64_t *code)
{
	int64_t number = cell->part[PART_NUMBER];
	unsigned int decimals = decimals_of(cell->kind);
	double power = powers[decimals];
	struct value value = { .is_number = true, .number = (double)number / power };

	format_number(value.text, number, decimals);
	if (code) {
		value.has_range = true;
		value.low = (double)(number - half_of_code(*code)) / power;
		value.high = (double)(number + half_of_code(*code)) / power;
	}
	recording_cell_quality(&value, cell);
	return value;
}

struct value recording_cell_estimate(const struct recording_cell *cell)
{
	bool estimated = cell->kind & KIND_ESTIMATE;
	enum recording_part half = estimated ? PART_ESTIMATE_HALF : PART_HALF;

	return make_value(cell, recording_cell_has(cell->kind, half) ? &cell->part[half] : NULL);
}

/* Return: the number in the text, or NAN. */
static double parse_or_nan(const char *text)
{
	struct value value = value_of_text(text);

	return value.is_number ? value.number : NAN;
}

static struct value parse_number(const char *text, const char *low, const char *high)
{
	struct value value = value_of_text(text);

	value.low = parse_or_nan(low);
	value.high = parse_or_nan(high);
	value_check_range(&value);
	return value;
}

/* Splits the text. Return: the number of parts. */
static size_t split_cell(char *parts[CELL_PARTS], char *text)
{
	size_t nr = 1;

	parts[0] = text;
	for (char *colon = text; (colon = strchr(colon, ':')) && nr < CELL_PARTS; nr++) {
		*colon++ = '\0';
		parts[nr] = colon;
	}
	return nr;
}

bool recording_cell_parse(struct value *value, char *text, bool *estimated)
{
	char *parts[CELL_PARTS];
	size_t nr = split_cell(parts, text);
	struct value estimate;

	if (strlen(text) >= VALUE_TEXT || (nr != 1 && nr != QUALITY_PARTS && nr != CELL_PARTS))
		return false;
	*value = value_of_text(text);
	if (nr == 1)
		return true;
	*value = parse_number(text, parts[1], parts[2]);
	value->coverage = parse_or_nan(parts[3]);
	value->has_coverage = !isnan(value->coverage);
	value->slices = strtoul(parts[4], NULL, 10);
	if (nr != CELL_PARTS)
		return true;
	if (strlen(parts[5]) >= VALUE_TEXT)
		return false;
	estimate = parse_number(parts[5], parts[6], parts[7]);
	*value = value_estimate(value, &estimate);
	*estimated = true;
	return true;
}
