/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The path down the decision tree to where the cycles go, and the tree itself.
 *
 * The tree and the decision are the module's own units tree.c and bottleneck.c;
 * their types stay in path.c.
 */
#ifndef LIBN3TELEMETRY_PATH_H
#define LIBN3TELEMETRY_PATH_H

#include "catalog.h"
#include "values.h"

#define PATH_DEPTH	8
#define PATH_MAX_NEXT	8	/* items that the tree leads to */

struct path {
	int metrics[PATH_DEPTH];	/* from Topdown_L1 down */
	size_t nr;
	double share;		/* what its end stands for, percent of all slots, or NAN */
	int undecided[2];	/* too close to choose from, or -1 */
	int minor;		/* the largest below, too small to be followed, or -1 */
	bool too_few_slices;	/* to know how close */
	const char *word;	/* reported instead of a value below the path, or NULL */
	int look_at[PATH_MAX_NEXT];	/* groups that the tree leads to from the end */
	size_t nr_look_at;
};

/* Gives the value of a metric, or NULL. */
typedef const struct value *(*path_value)(const void *of, int metric);

/* The path that the values lead to. */
void path_find(struct path *path, path_value value, const void *of);

/*
 * A path that is known: down to its end, which is -1 if it has none, and there either
 * two that are undecided (-1 otherwise), or one that is minor (likewise), or a word.
 * Its share follows from the values. Return: false if it is not of this tree.
 */
struct path_end {
	int end;
	int undecided[2];
	int minor;
	const char *word;
};

bool path_follow(struct path *path, const struct path_end *known, path_value value,
		 const void *of);

/* For a path that was made otherwise: what its end stands for follows from the values. */
void path_set_share(struct path *path, path_value value, const void *of);

bool path_holds(const struct path *path, int metric);

/*
 * The metrics one step below a metric, in the order of their groups; -1 gives Topdown_L1.
 * Below a group of the tree stand those of its metrics that are no other metric's child.
 */
size_t path_below(int metric, int below[], size_t room);

/* The metrics from Topdown_L1 down to one. Return: how many, 0 if it is not in the tree. */
size_t path_to(int metric, int metrics[PATH_DEPTH]);

/* Where the tree leads from a metric: another metric or a group; the other one is -1. */
struct path_next {
	int metric;
	int group;
};

size_t path_next(int metric, struct path_next next[PATH_MAX_NEXT]);

#endif
