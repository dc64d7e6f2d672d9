/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The decision tree and the path through it to the bottleneck.
 *
 * The tree and the decision are those of stats/tree.c and stats/bottleneck.c, whose types are
 * private to path.c.
 */
#ifndef LIBN3TELEMETRY_PATH_H
#define LIBN3TELEMETRY_PATH_H

#include "catalog.h"
#include "values.h"

#define PATH_DEPTH	8
#define PATH_MAX_NEXT	8	/* entries of look_at */
#define PATH_LOSSES	3

/* Percent of all slots: no loss below the first, no bottleneck but retiring above the second. */
extern const double path_minor_share, path_retiring_share;

/* Share of all slots in percent with its error; NAN if unknown. */
struct path_share {
	double value;
	double error;
};

struct path_loss {
	int metric;
	struct path_share share;	/* without the shares of the metrics below */
	bool rest;			/* some of those have a share */
};

struct path {
	int metrics[PATH_DEPTH];	/* from Topdown_L1 down to the largest loss, or retiring */
	size_t nr;
	double share;		/* lost at the end, or retiring, in percent of all slots, or NAN */
	struct path_loss losses[PATH_LOSSES];	/* the largest first */
	size_t nr_losses;
	bool mixed;		/* the two largest are within each other's errors */
	bool too_few_slices;	/* as their errors are unknown */
	const char *word;	/* of the values: instead of one below the path, or NULL */
	int look_at[PATH_MAX_NEXT];	/* groups the tree refers to from the end */
	size_t nr_look_at;
};

/* Returns the value of a metric, or NULL. */
typedef const struct value *(*path_value)(const void *data, int metric);

/* Finds the path for the values, which must stay valid as long as the path. */
void path_find(struct path *path, path_value value, const void *data);

/*
 * A known path: its end, or -1. Losses and word are left to the caller. Return: false if the
 * metric is not in the tree.
 */
bool path_lead(struct path *path, int end);

/* Finds out which losses are the rest of a metric. Done by path_find(). */
void path_mark_rests(struct path *path, path_value value, const void *data);

/* Share of a metric in all slots by the values of the metrics from Topdown_L1 down to it. */
struct path_share path_share(int metric, path_value value, const void *data);

/*
 * Whether shares of this metric are approximate: it is a share of cycles, while its parents in
 * Topdown_L1 are shares of slots.
 */
bool path_is_approximate(int metric);

/* Groups to look at next for a metric, or for the nearest one above that has any. */
size_t path_groups(int metric, int groups[PATH_MAX_NEXT]);

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
