/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The decision tree and the path through it to the bottleneck.
 *
 * The tree and the decision are the module's units tree.c and bottleneck.c, whose types are
 * private to path.c.
 */
#ifndef LIBN3TELEMETRY_PATH_H
#define LIBN3TELEMETRY_PATH_H

#include "catalog.h"
#include "values.h"

#define PATH_DEPTH	8
#define PATH_MAX_NEXT	8	/* entries of look_at */

struct path {
	int metrics[PATH_DEPTH];	/* from Topdown_L1 down */
	size_t nr;
	double share;		/* share of the end in all slots, percent, or NAN */
	int undecided[2];	/* too close to decide, or -1 */
	int minor;		/* the largest one below, too small to follow, or -1 */
	bool too_few_slices;	/* errors are unknown */
	const char *word;	/* of the values: instead of one below the path, or NULL */
	int look_at[PATH_MAX_NEXT];	/* groups the tree refers to from the end */
	size_t nr_look_at;
};

/* Returns the value of a metric, or NULL. */
typedef const struct value *(*path_value)(const void *of, int metric);

/* Finds the path for the values, which must stay valid as long as the path. */
void path_find(struct path *path, path_value value, const void *of);

/*
 * A known path: its end, or -1, and there either two undecided metrics, or a minor one (-1
 * otherwise), or a word. Its share is computed from the values. Return: false if it is not
 * a path of this tree.
 */
struct path_end {
	int end;
	int undecided[2];
	int minor;
	const char *word;
};

bool path_follow(struct path *path, const struct path_end *known, path_value value,
		 const void *of);

bool path_holds(const struct path *path, int metric);

/*
 * The metrics one step below a metric, in the order of their groups; -1 gives Topdown_L1.
 * A group of the tree has those of its metrics that are not children of another metric.
 */
size_t path_below(int metric, int below[], size_t room);

/* The metrics from Topdown_L1 down to one. Return: their number, 0 if it is not in the tree. */
size_t path_to(int metric, int metrics[PATH_DEPTH]);

/* Reference of the tree from a metric to a metric or a group; the other one is -1. */
struct path_next {
	int metric;
	int group;
};

size_t path_next(int metric, struct path_next next[PATH_MAX_NEXT]);

#endif
