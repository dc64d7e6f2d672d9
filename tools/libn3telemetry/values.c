// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Parser of a file of the module and of a group's inferred text. There are three kinds of lines:
 *
 *	backend_bound 43.0021				a metric group
 *	backend_bound value=43.0021 low=42.1 ...	its quality, and its estimate
 *	MEM_ACCESS per_second=12.5 per_cycle=0.1	custom: one value each
 *
 * and, instead of all lines of custom, a word with the reason.
 */
#include <linux/kernel.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "libn3t/spec.h"
#include "libn3t/verdict.h"
#include "stats/quality.h"
#include "values.h"

const double value_max_points = N3T_USEFUL_POINTS + 0.01;
const double value_max_times = N3T_USEFUL_TIMES + 0.01;
const double value_max_rounding = 0.0002;

/* Return: whether the text is a plain decimal number without exponent. */
static bool parse_decimal(const char *text, double *number)
{
	const char *digits = text + (*text == '-');
	size_t whole = strspn(digits, "0123456789");
	const char *end = digits + whole;

	if (!whole)
		return false;
	if (*end == '.') {
		size_t part = strspn(end + 1, "0123456789");

		if (!part)
			return false;
		end += 1 + part;
	}
	if (*end)
		return false;
	*number = strtod(text, NULL);
	return true;
}

struct value value_of_text(const char *text)
{
	struct value value = { .is_number = false };

	snprintf(value.text, sizeof(value.text), "%s", text);
	value.is_number = parse_decimal(value.text, &value.number);
	return value;
}

bool value_is_withheld(const struct value *value)
{
	static const enum n3t_verdict verdicts[] = {
		N3T_IMPLAUSIBLE, N3T_INCONSISTENT, N3T_UNSUPPORTED,
	};

	for (size_t i = 0; i < ARRAY_SIZE(verdicts); i++)
		if (!strcmp(value->text, n3t_verdict_word(verdicts[i])))
			return true;
	return false;
}

/* Return: half of the width of the interval, 0 without one. */
double value_error(const struct value *value)
{
	return value->has_range ? (value->high - value->low) / 2 : 0;
}

/* Return: how many decimals, up to @most, are not below the error. */
static int error_decimals(double error, int most)
{
	double last = 1;
	int decimals = 0;

	if (error <= 0)
		return most;
	/* 0.1 is one decimal, also after rounding. */
	for (error *= 1.000001; last > error && decimals < most; decimals++)
		last /= 10;
	return decimals;
}

int value_decimals(const struct value *value, int most)
{
	double error = value_error(value);

	if (!value->has_range && (value->has_coverage || value->of_interval))
		error = fabs(value->number) / 10;
	return error_decimals(error, most);
}

struct number_text number_text(double number, double error, int most)
{
	int decimals = error_decimals(isnan(error) ? fabs(number) / 10 : error, most);
	struct number_text text = {
		.decimals = decimals,
		.pad = most - decimals + (most && !decimals),
	};
	double last = pow(10, -most);

	snprintf(text.number, sizeof(text.number), "%.*f", decimals, number);
	if (isnan(error))
		strcpy(text.error, NO_RANGE);
	else if (error < last / 2)
		snprintf(text.error, sizeof(text.error), "<%.*f", most, last);
	else
		snprintf(text.error, sizeof(text.error), "%.*f", decimals, error);
	return text;
}

bool value_range_is_useful(double low, double high, const char *unit)
{
	double half = (high - low) / 2, middle = fabs(high + low) / 2;

	if (!strncmp(unit, "percent", strlen("percent")))
		return half <= value_max_points;
	return half <= value_max_times * middle + value_max_rounding || !*unit;
}

/* Drops an interval that is not that of a number, lacks an end (NAN), or has them reversed. */
static void check_range(struct value *value)
{
	value->has_range = value->is_number && value->low <= value->high;
	if (!value->has_range) {
		value->low = 0;
		value->high = 0;
	}
}

/* The estimate with the coverage of its value; the value unless both are numbers. */
static struct value estimate_of(const struct value *value, const struct value *estimate)
{
	struct value result = *estimate;

	if (!value->is_number || !estimate->is_number)
		return *value;
	result.has_coverage = value->has_coverage;
	result.coverage = value->coverage;
	result.slices = value->slices;
	return result;
}

/* State of values_parse(). */
struct parser {
	struct values *values;
	const char *path;
	struct failure *failure;
};

static bool malformed(const struct parser *parser, const char *problem)
{
	return failure_set(parser->failure, ERR_MALFORMED_FILE, "%s: %s", parser->path, problem);
}

/* Return: NULL if the file is malformed. */
static struct named_value *add(const struct parser *parser, const char *name)
{
	struct values *values = parser->values;
	struct named_value *named;

	if (values->nr == MAX_LINES) {
		failure_set(parser->failure, ERR_MALFORMED_FILE, "%s: more than %d lines",
			    parser->path, MAX_LINES);
		return NULL;
	}
	if (strlen(name) >= VALUE_NAME) {
		malformed(parser, "name too long");
		return NULL;
	}
	named = &values->v[values->nr++];
	memset(named, 0, sizeof(*named));
	strcpy(named->name, name);
	strcpy(named->value.text, NO_VALUE);
	strcpy(named->estimate.text, NO_VALUE);
	return named;
}

static bool add_text(const struct parser *parser, const char *name, const char *text)
{
	struct named_value *named = add(parser, name);

	if (!named)
		return false;
	named->value = value_of_text(text);
	named->estimate = named->value;
	return true;
}

static bool check_length(const struct parser *parser, const char *text)
{
	return strlen(text) < VALUE_TEXT || malformed(parser, "value too long");
}

/* Keys of a number and of the ends of its interval. */
struct keys {
	const char *number;
	const char *low;
	const char *high;
};

static const struct keys value_keys = { "value", "low", "high" };
static const struct keys estimate_keys = { "estimate", "estimate_low", "estimate_high" };

static void take_number(struct value *value, const struct keys *keys, const char *key,
			const char *text)
{
	double number;

	if (!strcmp(key, keys->number)) {
		snprintf(value->text, sizeof(value->text), "%s", text);
		value->is_number = parse_decimal(value->text, &value->number);
		return;
	}
	/* "none" if there are too few slices */
	if (!parse_decimal(text, &number))
		number = NAN;
	if (!strcmp(key, keys->low))
		value->low = number;
	else if (!strcmp(key, keys->high))
		value->high = number;
}

static void take_count(struct value *value, const char *key, const char *text)
{
	double number;

	if (!parse_decimal(text, &number))
		return;
	if (!strcmp(key, "coverage")) {
		value->coverage = number;
		value->has_coverage = true;
	} else if (!strcmp(key, "slices")) {
		value->slices = number < 0 || number > 1e9 ? 0 : (unsigned long)number;
	}
}

static struct named_value *add_quality(const struct parser *parser, const char *name)
{
	struct named_value *named = add(parser, name);

	if (!named)
		return NULL;
	named->value.low = NAN;
	named->value.high = NAN;
	named->estimate.low = NAN;
	named->estimate.high = NAN;
	return named;
}

static void finish_quality(struct named_value *named)
{
	check_range(&named->value);
	check_range(&named->estimate);
	named->estimate = estimate_of(&named->value, &named->estimate);
}

/* Parses the rest of a line if the first word after the name has a '='. */
static bool parse_keys(const struct parser *parser, const char *name, char *word, char **rest)
{
	struct named_value *quality = NULL;
	char full[2 * VALUE_NAME];
	char *equals;

	for (; word; word = strtok_r(NULL, " ", rest)) {
		equals = strchr(word, '=');
		if (!equals)
			return failure_set(parser->failure, ERR_MALFORMED_FILE,
					   "%s: '%s' has no value", parser->path, word);
		*equals++ = '\0';
		if (!check_length(parser, equals))
			return false;
		if (!quality && !strcmp(word, "value")) {
			quality = add_quality(parser, name);
			if (!quality)
				return false;
		}
		if (quality) {
			take_number(&quality->value, &value_keys, word, equals);
			take_number(&quality->estimate, &estimate_keys, word, equals);
			take_count(&quality->value, word, equals);
			continue;
		}
		if (snprintf(full, sizeof(full), "%s.%s", name, word) >= (int)sizeof(full))
			return malformed(parser, "name too long");
		if (!add_text(parser, full, equals))
			return false;
	}
	if (quality)
		finish_quality(quality);
	return true;
}

/* A single word gets the name of its file. */
static bool add_word(const struct parser *parser, const char *word)
{
	const char *slash = strrchr(parser->path, '/');

	parser->values->word = add_text(parser, slash ? slash + 1 : parser->path, word);
	return parser->values->word;
}

static bool parse_line(const struct parser *parser, char *line, bool is_last)
{
	char *rest, *name = strtok_r(line, " ", &rest), *word;

	if (!name)
		return true;
	word = strtok_r(NULL, " ", &rest);
	if (!word && !parser->values->nr && catalog_is_word(name) && is_last)
		return add_word(parser, name);
	if (!word)
		return failure_set(parser->failure, ERR_MALFORMED_FILE, "%s: no value for %s",
				   parser->path, name);
	if (strchr(word, '='))
		return parse_keys(parser, name, word, &rest);
	return check_length(parser, word) && add_text(parser, name, word);
}

bool values_parse(struct values *values, char *text, const char *path, struct failure *failure)
{
	const struct parser parser = { values, path, failure };
	char *rest;

	values->nr = 0;
	values->word = false;
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (!parse_line(&parser, line, !*rest))
			return false;
	return true;
}

const struct named_value *values_find(const struct values *values, const char *name)
{
	for (size_t i = 0; i < values->nr; i++)
		if (!strcmp(values->v[i].name, name))
			return &values->v[i];
	return NULL;
}
