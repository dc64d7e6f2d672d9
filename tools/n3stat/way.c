// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The way down the decision tree as the module goes it: its file "bottleneck". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "way.h"

const char * const way_names[WAY_NR_PARTS] = {
	[WAY_END] = "end",
	[WAY_WHY] = "why",
	[WAY_RIVAL] = "rival",
	[WAY_SECOND] = "second",
};

static void tell(struct values *values, enum way_part part, const char *text)
{
	values->v[part].value = value_of_text(text);
}

static bool is_told(const struct values *values, enum way_part part)
{
	return strcmp(values->v[part].value.text, NO_VALUE);
}

/* Return: whether the line says how the way ends. */
static bool take_line(struct values *values, const char *line)
{
	char key[16], name[VALUE_TEXT], error[VALUE_TEXT] = "";

	if (sscanf(line, "%15s %47s %*s %47s", key, name, error) < 2)
		return false;
	if (!strcmp(key, "path")) {
		tell(values, WAY_END, name);
	} else if (!strcmp(key, "rival")) {
		tell(values, is_told(values, WAY_RIVAL) ? WAY_SECOND : WAY_RIVAL, name);
		if (!strcmp(error, "none"))
			tell(values, WAY_WHY, WAY_TOO_FEW);
	} else if (!strcmp(key, "found")) {
		tell(values, WAY_WHY, WAY_FOUND);
		return true;
	} else if (!strcmp(key, "undetermined")) {
		if (!is_told(values, WAY_WHY))
			tell(values, WAY_WHY, WAY_UNDECIDED);
		return true;
	} else if (!strcmp(key, "verdict")) {
		tell(values, WAY_WHY, name);
		return true;
	}
	return false;
}

void way_parse(struct values *values, const char *text)
{
	char *copy = xstrdup(text), *rest;
	bool ended = false;

	for (enum way_part part = 0; part < WAY_NR_PARTS; part++) {
		strcpy(values->v[part].name, way_names[part]);
		tell(values, part, NO_VALUE);
	}
	tell(values, WAY_END, WAY_NONE);
	for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		ended |= take_line(values, line);
	values->nr = ended ? WAY_NR_PARTS : 0;
	values->word = false;
	free(copy);
}
