// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parser of the module's file "bottleneck": its path through the decision tree. */
#include <stdio.h>
#include <string.h>

#include "bottleneck_file.h"

const char * const bottleneck_names[BOTTLENECK_NR_PARTS] = {
	[BOTTLENECK_END] = "end",
	[BOTTLENECK_WHY] = "why",
	[BOTTLENECK_RIVAL] = "rival",
	[BOTTLENECK_SECOND] = "second",
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

/* Return: whether the line has the end of the path. */
static bool take_line(struct values *values, const char *line)
{
	enum bottleneck_part rival = is_there(values, BOTTLENECK_RIVAL) ? BOTTLENECK_SECOND :
									  BOTTLENECK_RIVAL;
	char key[16], name[VALUE_TEXT], error[VALUE_TEXT] = "";

	if (sscanf(line, "%15s %47s %*s %47s", key, name, error) < 2)
		return false;
	if (!strcmp(key, "path")) {
		put(values, BOTTLENECK_END, name);
	} else if (!strcmp(key, "rival")) {
		put(values, rival, name);
		if (!strcmp(error, "none"))
			put(values, BOTTLENECK_WHY, BOTTLENECK_TOO_FEW);
	} else if (!strcmp(key, "minor")) {
		put(values, BOTTLENECK_RIVAL, name);
	} else if (!strcmp(key, "found")) {
		put(values, BOTTLENECK_WHY, BOTTLENECK_FOUND);
		return true;
	} else if (!strcmp(key, "undetermined")) {
		if (!is_there(values, BOTTLENECK_WHY))
			put(values, BOTTLENECK_WHY, BOTTLENECK_UNDECIDED);
		return true;
	} else if (!strcmp(key, "verdict")) {
		put(values, BOTTLENECK_WHY, name);
		return true;
	}
	return false;
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
