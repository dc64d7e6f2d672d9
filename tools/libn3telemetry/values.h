/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Values in a file of the module: numbers, or words with the reason for their absence. */
#ifndef LIBN3TELEMETRY_VALUES_H
#define LIBN3TELEMETRY_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#include "errors.h"

#define VALUE_TEXT	48	/* the longest name has about 40 */
#define VALUE_NAME	64
#define NUMBER_TEXT	64
#define MAX_LINES	128

/* Stands for a missing value. */
#define NO_VALUE	"-"
/* Stands for an interval too wide to be useful. */
#define NO_RANGE	"none"

struct value {
	char text[VALUE_TEXT];		/* as written by the module */
	bool is_number;
	double number;
	bool of_interval;		/* see interval.h */
	bool is_margin;			/* the range is the window's: not for printing */
	bool has_range;			/* 95 % interval */
	double low;
	double high;
	bool has_coverage;
	double coverage;		/* percent of the window */
	unsigned long slices;		/* with has_coverage */
};

struct named_value {
	char name[VALUE_NAME];
	struct value value;		/* quotient of counts of the same slices */
	struct value estimate;		/* over the whole window */
};

struct values {
	struct named_value v[MAX_LINES];
	size_t nr;
	bool word;		/* v[0] is a word that replaces all values */
};

struct value value_of_text(const char *text);
/* Whether a word is that of a metric that is wrong, or not counted, at any time. */
bool value_is_withheld(const struct value *value);
double value_error(const struct value *value);
/*
 * Return: how many decimals of a value, up to @most, are not below its error. Without an error
 * @most; if it is unknown, because of too few slices or a useless interval, those of two digits.
 */
int value_decimals(const struct value *value, int most);

/* A number and its error with the decimals that the error allows. */
struct number_text {
	char number[NUMBER_TEXT];
	char error[NUMBER_TEXT];	/* "0.5", "<0.01" below the last decimal, or NO_RANGE */
	int decimals;
	int pad;	/* blanks after it, to align its point with that of most decimals */
};

/* @error: NAN if unknown; then the number has two digits. */
struct number_text number_text(double number, double error, int most);

/*
 * Largest half width of a useful interval: of percentages in points, of others as a multiple of
 * the value plus a rounding error. Larger than the limits of the module's statistics, which round
 * outwards.
 */
extern const double value_max_points, value_max_times, value_max_rounding;

/*
 * Whether the 95 % interval of a mean of a metric of this unit has information: the rule of the
 * module, whose files have NO_RANGE instead.
 */
bool value_range_is_useful(double low, double high, const char *unit);

/* Modifies the text. Return: false, with the path in the error, if it is malformed. */
bool values_parse(struct values *values, char *text, const char *path, struct failure *failure);
const struct named_value *values_find(const struct values *values, const char *name);

#endif
