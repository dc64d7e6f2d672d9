/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The decision tree, and shares of all slots. */
#ifndef LIBN3TELEMETRY_PATH_H
#define LIBN3TELEMETRY_PATH_H

#include "catalog.h"
#include "values.h"

#define PATH_DEPTH	8
#define PATH_MAX_NEXT	8	/* entries of look_at */

/* Share of all slots in percent with its error; NAN if unknown. */
struct path_share {
	double value;
	double error;
};

/* Returns the value of a metric, or NULL. */
typedef const struct value *(*path_value)(const void *data, int metric);

/* The number and its error, which is unknown without an interval. */
struct path_share path_of_value(const struct value *value);
/* Share of all slots of a part of what has the share @whole. Errors are treated as independent. */
struct path_share path_part(const struct path_share *whole, const struct path_share *part);

/* Share of a metric in all slots by the values of the metrics from Topdown_L1 down to it. */
struct path_share path_share(int metric, path_value value, const void *data);

/*
 * Whether shares of this metric are approximate: it is a share of cycles, while its parents in
 * Topdown_L1 are shares of slots.
 */
bool path_is_approximate(int metric);

/* Extra group that counts causes of a metric of the tree, or -1. */
int path_causes(int metric);
/* Metric of the tree of which this one counts a cause, or -1. */
int path_cause_of(int metric);
/* The group of the tree with the metrics below a metric, or -1. */
int path_group(int metric);
/* Groups to look at next for a metric, or for the nearest one above that has any. */
size_t path_groups(int metric, int groups[PATH_MAX_NEXT]);

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
