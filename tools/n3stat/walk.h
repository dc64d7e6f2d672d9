/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The way down the decision tree to where the cycles go: the module's own, where
 * that is known, else the one that the values lead to.
 */
#ifndef N3STAT_WALK_H
#define N3STAT_WALK_H

#include "recording.h"
#include "tables.h"

#define WALK_DEPTH	8

struct walk {
	int path[WALK_DEPTH];	/* metrics, from Topdown_L1 down */
	size_t nr;
	int undecided[2];	/* who lead too closely to choose, or -1 */
	bool too_few_slices;	/* to know how closely */
	const char *word;	/* what stands in place of a value below the path, or NULL */
	int look_at[TABLES_MAX_NEXT];	/* groups that the tree leads to from the end */
	size_t nr_look_at;
};

/* Gives the value of a metric, or NULL. */
typedef const struct value *(*walk_value)(const void *of, int metric);

void walk_down(struct walk *walk, walk_value value, const void *of);
/* As the module tells it. Return: false if it does not, or not of this tree. */
bool walk_told(struct walk *walk, const struct value *const told[WAY_NR_PARTS]);
void walk_snapshot(struct walk *walk, const struct snapshot *snapshot,
		   const struct choice *choice, size_t place);
/* The module's own, in a recording's current snapshot. Return: false if it is not there. */
bool walk_recorded(struct walk *walk, const struct recording *recording, size_t place);
bool walk_holds(const struct walk *walk, int metric);
/* What a snapshot needs for it: the groups of the tree. */
void walk_choose(struct choice *choice);
/* And the module's own way, where those are chosen. */
void walk_choose_way(struct choice *choice);

/*
 * The metrics one step below a metric; -1 gives Topdown_L1. Below a group of
 * the tree stand those of its metrics that are no other metric's child.
 */
size_t walk_below(int metric, int below[], size_t room);

/* The metrics from Topdown_L1 down to one. Return: how many, 0 if it is not in the tree. */
size_t walk_path(int metric, int path[WALK_DEPTH]);

#endif
