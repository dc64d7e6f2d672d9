/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The values in one file of the module: numbers, or words that say why not. */
#ifndef LIBN3TELEMETRY_VALUES_H
#define LIBN3TELEMETRY_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#define VALUE_TEXT	48	/* the longest that the module writes has some 40 */
#define VALUE_NAME	64
#define MAX_LINES	128

/* Instead of a value that was not there at all. */
#define NO_VALUE	"-"
/* Instead of an interval that says nothing. */
#define NO_RANGE	"none"

struct value {
	char text[VALUE_TEXT];		/* digit by digit as the module wrote it */
	bool is_number;
	double number;
	bool has_range;			/* 95 % interval */
	double low;
	double high;
	bool has_coverage;
	double coverage;		/* percent of the window */
	unsigned long slices;		/* with has_coverage */
};

struct named_value {
	char name[VALUE_NAME];
	struct value value;		/* the quotient of what was counted together */
	struct value estimate;		/* what it was over the whole window */
};

struct values {
	struct named_value v[MAX_LINES];
	size_t nr;
	bool word;		/* one word instead of them all, which is v[0] */
};

struct value value_of_text(const char *text);
double value_error(const struct value *value);
/*
 * Whether the 95 % interval of a mean of a metric of this unit has information: the rule of the
 * module, whose files have NO_RANGE instead.
 */
bool value_range_tells(double low, double high, const char *unit);
/* Drops an interval that is not that of a number, lacks an end (NAN), or has them reversed. */
void value_check_range(struct value *value);
/* The estimate with the coverage of its value; the value unless both are numbers. */
struct value value_estimate(const struct value *value, const struct value *estimate);

/* Ends the program, naming the path, when the text is not as documented. */
void values_parse(struct values *values, const char *text, const char *path);
/* Return: the rest of the line that begins with a key, to be freed, or NULL. */
char *value_of_key(const char *lines, const char *key);
/* Whether the names of PMUs have that of the simulated one, n3_sim, among them. */
bool pmu_is_simulated(const char *pmu);
/* Whether counts are simulated, by the text of the file "spec". */
bool spec_is_simulated(const char *spec);
const struct named_value *values_find(const struct values *values, const char *name);

#endif
