// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Cells of recordings: a value and its estimate as integers. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "recording_cell.h"

#define MOST		9007199254740992LL	/* 2^53, exact in a double */
#define HALF_STEPS	64		/* codes of half widths per power of two */
#define MAX_CODE	((54 - 6) * HALF_STEPS + HALF_STEPS)

const unsigned char recording_parts[NR_PARTS] = {
	[PART_NUMBER] = KIND_NUMBER,
	[PART_VALUE] = KIND_ESTIMATE,
	[PART_HALF] = KIND_RANGE,
	[PART_ESTIMATE_HALF] = KIND_ESTIMATE_RANGE,
	[PART_COVERAGE] = KIND_QUALITY,
	[PART_SLICES] = KIND_QUALITY,
};

static const double powers[KIND_MAX_DECIMALS + 1] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7 };

/* Return: whether the value is an integer in units of the last digit. */
static bool take_number(int64_t *number, double value, size_t decimals)
{
	double units = nearbyint(value * powers[decimals]);

	if (!(fabs(units) < MOST) || units / powers[decimals] != value)
		return false;
	*number = (int64_t)units;
	return true;
}

/* Takes the number in units of its last decimal. Return: false if its text is not that of one. */
static bool take_text(int64_t *number, size_t *decimals, const struct value *value)
{
	const char *text = value->text, *point = strchr(text, '.');
	int64_t units = 0;

	if (!value->is_number)
		return false;
	for (const char *c = text + (*text == '-'); *c; c++) {
		if (*c == '.')
			continue;
		if (!isdigit((unsigned char)*c) || units >= MOST / 10)
			return false;
		units = 10 * units + (*c - '0');
	}
	*decimals = point ? strlen(point + 1) : 0;
	*number = *text == '-' ? -units : units;
	return *decimals <= KIND_MAX_DECIMALS;
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
static bool take_half(int64_t *code, const struct value *value, int64_t number, size_t decimals)
{
	int64_t low, high;

	if (!take_number(&low, value->low, decimals) || !take_number(&high, value->high, decimals))
		return false;
	*code = code_of_half(number - low > high - number ? number - low : high - number);
	return true;
}

static bool take_quality(struct recording_cell *cell, const struct value *value)
{
	int64_t coverage;

	if (!value->has_coverage)
		return true;
	if (value->slices >= MOST || !take_number(&coverage, value->coverage, 2))
		return false;
	cell->kind |= KIND_QUALITY;
	cell->part[PART_COVERAGE] = coverage;
	cell->part[PART_SLICES] = (int64_t)value->slices;
	return true;
}

static bool is_same(const struct value *a, const struct value *b)
{
	return !strcmp(a->text, b->text) && a->has_range == b->has_range && a->low == b->low &&
	       a->high == b->high;
}

static bool take_estimate(struct recording_cell *cell, const struct value *estimate,
			  int64_t value, size_t decimals)
{
	int64_t *part = cell->part;
	size_t same;

	cell->kind |= KIND_ESTIMATE;
	if (!take_text(&part[PART_NUMBER], &same, estimate) || same != decimals)
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
	size_t decimals;
	int64_t number;

	if (!take_text(&number, &decimals, value) || !take_quality(cell, value))
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
		cell->text = xstrdup(estimate->text);
		take_quality(cell, value);
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

/* Return: whether the kind is valid and the parts are exact in a double. */
static bool is_sane(const struct recording_cell *cell)
{
	if (!(cell->kind & KIND_NUMBER) && cell->kind & ~KIND_QUALITY)
		return false;
	return is_between(cell, PART_NUMBER, -MOST, MOST) &&
	       is_between(cell, PART_VALUE, -2 * MOST, 2 * MOST) &&
	       is_between(cell, PART_HALF, 0, MAX_CODE) &&
	       is_between(cell, PART_ESTIMATE_HALF, 0, MAX_CODE) &&
	       is_between(cell, PART_COVERAGE, 0, MOST) && is_between(cell, PART_SLICES, 0, MOST);
}

static void set_range(struct value *value, const struct recording_cell *cell, int64_t code)
{
	double power = powers[cell->kind >> KIND_DECIMALS_SHIFT];
	int64_t number = cell->part[PART_NUMBER], half = half_of_code(code);

	value->has_range = true;
	value->low = (double)(number - half) / power;
	value->high = (double)(number + half) / power;
}

static void set_number(struct value *value, const struct recording_cell *cell)
{
	enum recording_part half = cell->kind & KIND_ESTIMATE ? PART_ESTIMATE_HALF : PART_HALF;

	value->is_number = true;
	value->number = (double)cell->part[PART_NUMBER] /
			powers[cell->kind >> KIND_DECIMALS_SHIFT];
	if (recording_cell_has(cell->kind, half))
		set_range(value, cell, cell->part[half]);
}

bool recording_cell_value(struct value *value, const struct recording_cell *cell)
{
	if (!is_sane(cell))
		return false;
	*value = (struct value) { 0 };
	if (cell->kind & KIND_NUMBER)
		set_number(value, cell);
	else
		*value = value_of_text(text_of(cell));
	if (cell->kind & KIND_QUALITY) {
		value->has_coverage = true;
		value->coverage = (double)cell->part[PART_COVERAGE] / 100;
		value->slices = (unsigned long)cell->part[PART_SLICES];
	}
	return true;
}
