/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat top: what is shown, apart from how it is drawn. */
#ifndef N3STAT_TOP_STATE_H
#define N3STAT_TOP_STATE_H

#include <stdint.h>

#include "snapshot.h"

#define TOP_NR_BARS	4
#define TOP_NO_TREE	SIZE_MAX

enum top_view {
	TOP_LIST,		/* a row for each place */
	TOP_TREE,		/* one place's decision tree */
	TOP_HELP,
};

/* What rows can be sorted by, in the order in which 's' goes through them. */
enum top_sort {
	TOP_BY_PLACE,
	TOP_BY_FRONTEND,
	TOP_BY_BACKEND,
	TOP_BY_BAD_SPECULATION,
	TOP_BY_RETIRING,
	TOP_BY_IPC,
	TOP_NR_SORTS,
};

struct top {
	struct choice choice;
	struct snapshot snapshot;
	size_t nr_list_files;		/* of choice, what the list shows */
	size_t tree_of;			/* the place of which all was read, or TOP_NO_TREE */
	size_t *order;			/* of the places, as sorted */
	size_t selected;		/* index in order */
	size_t first;			/* first row on the screen */
	size_t tree_first;		/* first line of the tree on the screen */
	enum top_view view;
	enum top_view before_help;
	enum top_sort sort;
	bool ascending;			/* by a column the smallest first */
	bool whole_tree;		/* nothing of it is folded */
	bool paused;
	bool quit;
	size_t rows;			/* that the screen has for them */
	double interval;
};

extern const char * const top_bars[TOP_NR_BARS];	/* metrics, left to right */
extern const char top_letters[TOP_NR_BARS];

const char *top_sort_name(enum top_sort sort);
/*
 * After new values: the place that is selected stays selected as long as its row is on
 * the screen. The list does not scroll by itself: what is sorted first stays in sight.
 */
void top_sort(struct top *top);
/* A list that is sorted by a column is shown from its first row. */
void top_sort_by(struct top *top, enum top_sort sort, bool ascending);

#endif
