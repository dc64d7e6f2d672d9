// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Places with values of their own: CPUs, nodes and the system. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cpu_list.h"
#include "lib/names.h"
#include "places.h"
#include "source.h"

const char * const scope_names[] = {
	[SCOPE_CPU] = "cpu",
	[SCOPE_NODE] = "node",
	[SCOPE_SYSTEM] = "system",
};

const char *scope_title(enum scope scope)
{
	return scope == SCOPE_CPU ? "CPU" : scope_names[scope];
}

struct place place_make(enum scope scope, unsigned int id)
{
	struct place place = { .scope = scope, .id = id };

	if (scope == SCOPE_SYSTEM)
		strcpy(place.name, scope_names[scope]);
	else
		snprintf(place.name, sizeof(place.name), "%s%u", scope_names[scope], id);
	return place;
}

/* Return: whether the name is that of a place. */
bool place_parse(const char *name, struct place *place)
{
	int number;

	if (!strcmp(name, scope_names[SCOPE_SYSTEM])) {
		*place = place_make(SCOPE_SYSTEM, 0);
		return true;
	}
	for (enum scope scope = SCOPE_CPU; scope <= SCOPE_NODE; scope++) {
		number = cpu_number_behind(name, scope_names[scope]);
		if (number >= 0) {
			*place = place_make(scope, number);
			return true;
		}
	}
	return false;
}

bool places_add_one(struct places *places, struct place place)
{
	struct place *v = reallocarray(places->v, places->nr + 1, sizeof(*v));

	if (!v)
		return false;
	places->v = v;
	places->v[places->nr++] = place;
	return true;
}

bool places_present(struct source *source, enum scope scope, bool *present)
{
	struct place place;
	char **names;
	ssize_t nr = source_list(source, "", &names);

	if (nr < 0)
		return false;
	for (ssize_t i = 0; i < nr; i++)
		if (place_parse(names[i], &place) && place.scope == scope)
			present[place.id] = true;
	free_names(names);
	return true;
}

bool places_have_system(struct source *source, bool *system)
{
	bool present[MAX_PLACES] = { false };

	if (!places_present(source, SCOPE_SYSTEM, present))
		return false;
	*system = present[0];
	return true;
}

bool places_add(struct source *source, struct places *places, enum scope scope,
		const bool *wanted)
{
	bool present[MAX_PLACES] = { false };
	size_t before = places->nr;

	if (!places_present(source, scope, present))
		return false;
	for (unsigned int id = 0; id < MAX_PLACES; id++) {
		if (wanted && !wanted[id])
			continue;
		if (wanted && !present[id])
			return failure_set(&source->failure, ERR_NO_SUCH_PLACE,
					   "no %s %u: %s/%s%u does not exist",
					   scope_title(scope), id, source->root,
					   scope_names[scope], id);
		if (present[id] && !places_add_one(places, place_make(scope, id)))
			return failure_no_memory(&source->failure);
	}
	if (places->nr == before)
		return failure_set(&source->failure, ERR_NO_SUCH_PLACE,
				   "no %s is measured: there is no %s* in %s", scope_title(scope),
				   scope_names[scope], source->root);
	return true;
}

void places_free(struct places *places)
{
	free(places->v);
	*places = (struct places) { 0 };
}
