// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* How many CPUs of a node or the system its values are of. */
#include <ctype.h>
#include <stdlib.h>

#include "cli/telemetry.h"
#include "included.h"
#include "lib/keys.h"
#include "lib/memory.h"

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

static struct included of_place(const struct place *place)
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
		included[i] = of_place(&choice->places.v[i]);
}
