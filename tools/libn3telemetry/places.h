/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* CPUs, nodes and the whole system: what has values of its own. */
#ifndef LIBN3TELEMETRY_PLACES_H
#define LIBN3TELEMETRY_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#define MAX_PLACES	8192	/* of a kind; the kernel's own limit is lower */

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

#define MAX_LISTS	128

/* As the user gave them, 0-3,8 each. */
struct place_lists {
	const char *v[MAX_LISTS];
	size_t nr;
};

struct place place_make(enum scope scope, unsigned int id);
bool place_parse(const char *name, struct place *place);

/*
 * Sets what a list as the kernel writes them, 0-3,8, names among MAX_PLACES. Return: 0,
 * -EINVAL if it is no list, -ERANGE for a number beyond all places.
 */
int place_list_parse(const char *list, bool *wanted);
/* The same, of the user; ends the program if it is not good. */
void place_list_take(const char *list, enum scope scope, bool *wanted);

/*
 * Adds the places of a scope that the source has: all of them, or those in any of
 * some lists as the kernel writes them, 0-3,8. Ends the program if one is missing.
 */
void places_add(struct places *places, enum scope scope, const struct place_lists *lists);
void places_add_one(struct places *places, struct place place);
bool places_have_system(void);
void places_free(struct places *places);

#endif
