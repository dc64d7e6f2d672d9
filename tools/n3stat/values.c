// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The values in one file of the module. Three kinds of lines are known:
 *
 *	backend_bound 43.0021				a metric group
 *	backend_bound value=43.0021 low=42.1 ...	its quality
 *	MEM_ACCESS per_second=12.5 per_cycle=0.1	custom: one value each
 *
 * and, instead of all lines of custom, a word that says why there are none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "common.h"
#include "values.h"

/* Return: whether text is a plain decimal number: no exponent, no "nan". */
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

/* Return: half of the width of the interval, 0 if there is none. */
double value_error(const struct value *value)
{
	return value->has_range ? (value->high - value->low) / 2 : 0;
}

static struct value *add(struct values *values, const char *name, const char *path)
{
	struct named_value *named;

	if (values->nr == MAX_LINES)
		die(EXIT_OTHER, "%s: more than %d lines", path, MAX_LINES);
	if (strlen(name) >= VALUE_NAME)
		die(EXIT_OTHER, "%s: name too long", path);
	named = &values->v[values->nr++];
	memset(named, 0, sizeof(*named));
	strcpy(named->name, name);
	strcpy(named->value.text, NO_VALUE);
	return &named->value;
}

static void check_length(const char *text, const char *path)
{
	if (strlen(text) >= VALUE_TEXT)
		die(EXIT_OTHER, "%s: value too long", path);
}

/* One key of a quality line. Return: whether it is such a key. */
static bool take_quality(struct value *value, const char *key, const char *text)
{
	double number;

	if (!strcmp(key, "value")) {
		snprintf(value->text, sizeof(value->text), "%s", text);
		value->is_number = parse_decimal(value->text, &value->number);
		return true;
	}
	/* "none" where there are too few slices */
	if (!parse_decimal(text, &number))
		return !strcmp(key, "low") || !strcmp(key, "high") ||
		       !strcmp(key, "coverage") || !strcmp(key, "slices");
	if (!strcmp(key, "low")) {
		value->low = number;
	} else if (!strcmp(key, "high")) {
		value->high = number;
		value->has_range = true;
	} else if (!strcmp(key, "coverage")) {
		value->coverage = number;
		value->has_coverage = true;
	} else if (!strcmp(key, "slices")) {
		value->slices = number < 0 || number > 1e9 ? 0 : (unsigned long)number;
	} else {
		return false;
	}
	return true;
}

/* The rest of a line whose first word after the name has a '='. */
static void parse_keys(struct values *values, const char *name, char *word, char **rest,
		       const char *path)
{
	struct value *quality = NULL;
	char full[2 * VALUE_NAME];
	char *equals;

	for (; word; word = strtok_r(NULL, " ", rest)) {
		equals = strchr(word, '=');
		if (!equals)
			die(EXIT_OTHER, "%s: '%s' has no value", path, word);
		*equals++ = '\0';
		check_length(equals, path);
		if (!quality && !strcmp(word, "value"))
			quality = add(values, name, path);
		if (quality) {
			take_quality(quality, word, equals);
			continue;
		}
		if (snprintf(full, sizeof(full), "%s.%s", name, word) >= (int)sizeof(full))
			die(EXIT_OTHER, "%s: name too long", path);
		*add(values, full, path) = value_of_text(equals);
	}
	/* An interval that is none, or that does not hold the value. */
	if (quality && (!quality->is_number || quality->low > quality->high))
		quality->has_range = false;
}

/* A word alone gets the name of its file. */
static void add_word(struct values *values, const char *word, const char *path)
{
	const char *slash = strrchr(path, '/');

	*add(values, slash ? slash + 1 : path, path) = value_of_text(word);
	values->word = true;
}

void values_parse(struct values *values, const char *text, const char *path)
{
	static char copy[65536 + 1];
	char *line, *word, *rest_of_text, *rest_of_line, *name;

	values->nr = 0;
	values->word = false;
	snprintf(copy, sizeof(copy), "%s", text);
	for (line = strtok_r(copy, "\n", &rest_of_text); line;
	     line = strtok_r(NULL, "\n", &rest_of_text)) {
		name = strtok_r(line, " ", &rest_of_line);
		if (!name)
			continue;
		word = strtok_r(NULL, " ", &rest_of_line);
		if (!word && !values->nr && catalog_is_word(name) && !*rest_of_text) {
			add_word(values, name, path);
			continue;
		}
		if (!word)
			die(EXIT_OTHER, "%s: no value for %s", path, name);
		if (strchr(word, '=')) {
			parse_keys(values, name, word, &rest_of_line, path);
			continue;
		}
		check_length(word, path);
		*add(values, name, path) = value_of_text(word);
	}
}

const struct value *values_find(const struct values *values, const char *name)
{
	for (size_t i = 0; i < values->nr; i++)
		if (!strcmp(values->v[i].name, name))
			return &values->v[i].value;
	return NULL;
}

char *value_of_key(const char *lines, const char *key)
{
	size_t len = strlen(key);

	for (const char *line = lines; line && *line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, key, len) && line[len] == ' ')
			return format_string("%.*s", (int)strcspn(line + len + 1, "\n"),
					     line + len + 1);
		if (!*line)
			break;
	}
	return NULL;
}

bool spec_is_simulated(const char *spec)
{
	char *pmu = value_of_key(spec, "pmu");
	bool simulated = pmu && (!strncmp(pmu, "n3_sim", 6) || strstr(pmu, " n3_sim"));

	free(pmu);
	return simulated;
}
