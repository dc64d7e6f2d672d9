/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Places with values of their own: CPUs, nodes and the system. */
#ifndef LIBN3TELEMETRY_PLACES_H
#define LIBN3TELEMETRY_PLACES_H

#include <stdbool.h>
#include <stddef.h>

#define MAX_PLACES	8192	/* per kind; the kernel's limit is lower */

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

/* Lists from the command line, such as 0-3,8. */
struct place_lists {
	const char *v[MAX_LISTS];
	size_t nr;
};

struct place place_make(enum scope scope, unsigned int id);
bool place_parse(const char *name, struct place *place);

/*
 * Sets the elements of @wanted (MAX_PLACES) that a list in the kernel's format, such as
 * 0-3,8, has. Return: 0, -EINVAL if it is malformed, -ERANGE if a number is too large.
 */
int place_list_parse(const char *list, bool *wanted);
/* The same for a list from the command line; exits if it is invalid. */
void place_list_take(const char *list, enum scope scope, bool *wanted);

/*
 * Adds the source's places of a scope: all, or the ones in lists of the kernel's format,
 * such as 0-3,8. Exits if one is missing.
 */
void places_add(struct places *places, enum scope scope, const struct place_lists *lists);
void places_add_one(struct places *places, struct place place);
bool places_have_system(void);
void places_free(struct places *places);

#endif
