/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Places with values of their own: CPUs, nodes and the system. */
#ifndef LIBN3TELEMETRY_PLACES_H
#define LIBN3TELEMETRY_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/cpu_list.h"

#define MAX_PLACES	MAX_CPUS	/* per kind */

enum scope {
	SCOPE_CPU,
	SCOPE_NODE,
	SCOPE_SYSTEM,
};

struct place {
	enum scope scope;
	unsigned int id;
	char name[24];		/* the name of its directory */
};

struct places {
	struct place *v;
	size_t nr;
};

struct source;

/* By scope: "cpu", "node", "system". */
extern const char * const scope_names[];
/* Name of a kind of places in messages. */
const char *scope_title(enum scope scope);
struct place place_make(enum scope scope, unsigned int id);
bool place_parse(const char *name, struct place *place);

/*
 * Adds the source's places of a scope: all, or the @wanted ones of MAX_PLACES. Return: false if
 * none exists or a wanted one is missing, and after another error of the source.
 */
bool places_add(struct source *source, struct places *places, enum scope scope,
		const bool *wanted);
/* Return: false if out of memory. */
bool places_add_one(struct places *places, struct place place);
/*
 * Sets the elements of @present (MAX_PLACES) that the source has. Return: false after an error of
 * the source.
 */
bool places_present(struct source *source, enum scope scope, bool *present);
/* Return: likewise. */
bool places_have_system(struct source *source, bool *system);
void places_free(struct places *places);

#endif
