// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Excluded CPUs of a node or the system. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "included.h"
#include "lib/keys.h"
#include "lib/memory.h"
#include "telemetry.h"

bool included_matters(const struct choice *choice)
{
	for (size_t i = 0; i < choice->places.nr; i++)
		if (choice->places.v[i].scope != SCOPE_CPU)
			return true;
	return false;
}

static bool read_number(const char *text, const char *key, unsigned long *number)
{
	size_t len;
	const char *value = find_value(text, key, &len);

	if (!value || !isdigit((unsigned char)*value))
		return false;
	*number = strtoul(value, NULL, 10);
	return true;
}

struct included included_of(const struct place *place)
{
	struct included included = { .known = false };
	const char *text;
	char *path;

	if (place->scope == SCOPE_CPU)
		return included;
	path = format_string("%s/status", place->name);
	text = telemetry_read(path);
	included.known = text && read_number(text, "cpus", &included.cpus) &&
			 read_number(text, "included", &included.nr);
	free(path);
	return included;
}

void included_read(struct included *included, const struct choice *choice)
{
	for (size_t i = 0; i < choice->places.nr; i++)
		included[i] = included_of(&choice->places.v[i]);
}

const char *included_text(const struct included *included)
{
	static char text[INCLUDED_TEXT];

	*text = '\0';
	if (included->known && included->nr != included->cpus)
		snprintf(text, sizeof(text), " (%lu of %lu CPUs)", included->nr, included->cpus);
	return text;
}
