// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parser of the text of the bottleneck: its path and its losses. */
#include <stdio.h>
#include <string.h>

#include "bottleneck_file.h"

const char * const bottleneck_names[BOTTLENECK_NR_PARTS] = {
	[BOTTLENECK_END] = "end",
	[BOTTLENECK_WHY] = "why",
	[BOTTLENECK_BELOW] = "below",
	[BOTTLENECK_SHARE] = "share",
	[BOTTLENECK_FIRST] = "first",
	[BOTTLENECK_FIRST_SHARE] = "first_share",
	[BOTTLENECK_SECOND] = "second",
	[BOTTLENECK_SECOND_SHARE] = "second_share",
	[BOTTLENECK_THIRD] = "third",
	[BOTTLENECK_THIRD_SHARE] = "third_share",
};

static void put(struct values *values, enum bottleneck_part part, const char *text)
{
	values->v[part].value = value_of_text(text);
	values->v[part].estimate = values->v[part].value;
}

static bool is_there(const struct values *values, enum bottleneck_part part)
{
	return strcmp(values->v[part].value.text, NO_VALUE);
}

static void put_loss(struct values *values, const char *name, const char *share,
		     const char *error)
{
	enum bottleneck_part part = BOTTLENECK_FIRST;
	struct value half = value_of_text(error), *value;

	while (part < BOTTLENECK_NR_PARTS && is_there(values, part))
		part += 2;
	if (part >= BOTTLENECK_NR_PARTS)
		return;
	put(values, part, name);
	put(values, part + 1, share);
	value = &values->v[part + 1].value;
	value->has_range = value->is_number && half.is_number;
	value->low = value->number - half.number;
	value->high = value->number + half.number;
	values->v[part + 1].estimate = *value;
}

/* Return: whether the line has the outcome. */
static bool take_line(struct values *values, const char *line)
{
	char key[16], name[VALUE_TEXT], share[VALUE_TEXT] = NO_VALUE, error[VALUE_TEXT] = NO_VALUE;

	if (sscanf(line, "%15s %47s %47s %47s", key, name, share, error) < 2)
		return false;
	if (!strcmp(key, "path"))
		put(values, BOTTLENECK_END, name);
	else if (!strcmp(key, "share"))
		put(values, BOTTLENECK_SHARE, name);
	else if (!strcmp(key, "loss"))
		put_loss(values, name, share, error);
	else if (!strcmp(key, "below"))
		put(values, BOTTLENECK_BELOW, name);
	else if (!strcmp(key, BOTTLENECK_FOUND) || !strcmp(key, BOTTLENECK_MIXED))
		put(values, BOTTLENECK_WHY, key);
	else if (!strcmp(key, "verdict"))
		put(values, BOTTLENECK_WHY, name);
	return is_there(values, BOTTLENECK_WHY);
}

void bottleneck_parse(struct values *values, char *text)
{
	bool ended = false;
	char *rest;

	for (enum bottleneck_part part = 0; part < BOTTLENECK_NR_PARTS; part++) {
		strcpy(values->v[part].name, bottleneck_names[part]);
		put(values, part, NO_VALUE);
	}
	put(values, BOTTLENECK_END, BOTTLENECK_NONE);
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		ended |= take_line(values, line);
	values->nr = ended ? BOTTLENECK_NR_PARTS : 0;
	values->word = false;
}

const char *bottleneck_next_cpus(const char *text, unsigned int *nr, char end[VALUE_TEXT])
{
	while (*text) {
		const char *line = text;

		text += strcspn(text, "\n");
		text += *text == '\n';
		if (sscanf(line, "cpus %u %47s", nr, end) == 2)
			return text;
	}
	return NULL;
}
