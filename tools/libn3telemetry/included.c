// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Excluded CPUs of a node or the system. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "included.h"
#include "lib/keys.h"
#include "source.h"

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

bool included_of(struct source *source, struct included *included, const struct place *place)
{
	char path[sizeof(place->name) + sizeof("/status")], *text;

	*included = (struct included) { .known = false };
	if (place->scope == SCOPE_CPU)
		return true;
	snprintf(path, sizeof(path), "%s/status", place->name);
	if (!source_read(source, path, &text))
		return false;
	included->known = text && read_number(text, "cpus", &included->cpus) &&
			  read_number(text, "included", &included->nr);
	return true;
}

bool included_read(struct source *source, struct included *included, const struct choice *choice)
{
	for (size_t i = 0; i < choice->places.nr; i++)
		if (!included_of(source, &included[i], &choice->places.v[i]))
			return false;
	return true;
}

const char *included_text(char text[INCLUDED_TEXT], const struct included *included)
{
	*text = '\0';
	if (included->known && included->nr != included->cpus)
		snprintf(text, INCLUDED_TEXT, " (%lu of %lu CPUs)", included->nr, included->cpus);
	return text;
}
