// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Places with values of their own: CPUs, nodes and the system. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/util.h"
#include "errors.h"
#include "places.h"
#include "source.h"

static const char * const prefixes[] = {
	[SCOPE_CPU] = "cpu",
	[SCOPE_NODE] = "node",
	[SCOPE_SYSTEM] = "system",
};

static const char * const titles[] = {
	[SCOPE_CPU] = "CPU",
	[SCOPE_NODE] = "node",
	[SCOPE_SYSTEM] = "system",
};

struct place place_make(enum scope scope, unsigned int id)
{
	struct place place = { .scope = scope, .id = id };

	if (scope == SCOPE_SYSTEM)
		strcpy(place.name, prefixes[scope]);
	else
		snprintf(place.name, sizeof(place.name), "%s%u", prefixes[scope], id);
	return place;
}

/* Return: the number after the prefix, or -1 for other names. */
static int number_behind(const char *name, const char *prefix)
{
	size_t len = strlen(prefix);
	unsigned long number;
	char *end;

	if (strncmp(name, prefix, len) || !isdigit((unsigned char)name[len]))
		return -1;
	number = strtoul(name + len, &end, 10);
	return *end || number >= MAX_PLACES ? -1 : (int)number;
}

/* Return: whether the name is that of a place. */
bool place_parse(const char *name, struct place *place)
{
	int number;

	if (!strcmp(name, prefixes[SCOPE_SYSTEM])) {
		*place = place_make(SCOPE_SYSTEM, 0);
		return true;
	}
	for (enum scope scope = SCOPE_CPU; scope <= SCOPE_NODE; scope++) {
		number = number_behind(name, prefixes[scope]);
		if (number >= 0) {
			*place = place_make(scope, number);
			return true;
		}
	}
	return false;
}

/* Return: 0, -EINVAL or -ERANGE, as in place_list_parse(). */
static int parse_number(const char **pos, unsigned long *number)
{
	char *end;

	if (!isdigit((unsigned char)**pos))
		return -EINVAL;
	*number = strtoul(*pos, &end, 10);
	*pos = end;
	return *number < MAX_PLACES ? 0 : -ERANGE;
}

int place_list_parse(const char *list, bool *wanted)
{
	unsigned long first, last;
	int ret;

	do {
		ret = parse_number(&list, &first);
		if (ret)
			return ret;
		last = first;
		if (*list == '-') {
			list++;
			ret = parse_number(&list, &last);
		}
		if (ret)
			return ret;
		if (last < first || (*list && *list != ','))
			return -EINVAL;
		for (; first <= last; first++)
			wanted[first] = true;
	} while (*list++);
	return 0;
}

void place_list_take(const char *list, enum scope scope, bool *wanted)
{
	switch (place_list_parse(list, wanted)) {
	case -ERANGE:
		die(ERR_BAD_VALUE, "bad %s list '%s'; the highest %s is %d", titles[scope], list,
		    titles[scope], MAX_PLACES - 1);
	case -EINVAL:
		die(ERR_BAD_VALUE, "bad %s list '%s'; write it as 0-3,8", titles[scope], list);
	}
}

void places_add_one(struct places *places, struct place place)
{
	places->v = xreallocarray(places->v, places->nr + 1, sizeof(*places->v));
	places->v[places->nr++] = place;
}

static void find_present(enum scope scope, bool *present)
{
	struct place place;
	char **names;
	size_t nr = source_list("", &names);

	for (size_t i = 0; i < nr; i++)
		if (place_parse(names[i], &place) && place.scope == scope)
			present[place.id] = true;
	free_names(names);
}

bool places_have_system(void)
{
	bool present[MAX_PLACES] = { false };

	find_present(SCOPE_SYSTEM, present);
	return present[0];
}

void places_add(struct places *places, enum scope scope, const struct place_lists *lists)
{
	bool all = !lists || !lists->nr;
	bool present[MAX_PLACES] = { false };
	bool wanted[MAX_PLACES] = { false };
	size_t before = places->nr;

	for (size_t i = 0; !all && i < lists->nr; i++)
		place_list_take(lists->v[i], scope, wanted);
	find_present(scope, present);
	for (unsigned int id = 0; id < MAX_PLACES; id++) {
		if (!all && !wanted[id])
			continue;
		if (present[id])
			places_add_one(places, place_make(scope, id));
		else if (!all)
			die(ERR_NO_SUCH_PLACE, "no %s %u: there is no %s/%s%u", titles[scope], id,
			    source_info().name, prefixes[scope], id);
	}
	if (places->nr == before)
		die(ERR_NO_SUCH_PLACE, "no %s is measured: there is no %s* in %s", titles[scope],
		    prefixes[scope], source_info().name);
}

void places_free(struct places *places)
{
	free(places->v);
	*places = (struct places) { 0 };
}
