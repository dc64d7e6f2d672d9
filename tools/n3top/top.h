/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat top: state of the display; drawing, keys and the command. */
#ifndef N3TOP_TOP_H
#define N3TOP_TOP_H

#include <stdint.h>

#include "libn3telemetry/snapshot.h"
#include "top_screen.h"

#define TOP_NO_TREE	SIZE_MAX

enum top_view {
	TOP_LIST,		/* a row per place */
	TOP_TREE,		/* one place's decision tree */
	TOP_HELP,
};

/* Sort keys, in the order of the key 's'. */
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
	size_t nr_list_files;		/* of choice, for the list */
	size_t tree_of;			/* the place read for the tree, or TOP_NO_TREE */
	size_t *order;			/* places in sort order */
	size_t selected;		/* index in order */
	size_t first;			/* first row on the screen */
	size_t tree_first;		/* first line of the tree on the screen */
	enum top_view view;
	enum top_view before_help;
	enum top_sort sort;
	bool ascending;			/* smallest value of the column first */
	bool whole_tree;		/* nothing is folded */
	bool paused;
	bool quit;
	size_t rows;			/* rows available on the screen */
	double interval;
};

extern const char * const top_bars[TOP_NR_BARS];	/* metrics, left to right */
extern const char top_letters[TOP_NR_BARS];

const char *top_sort_name(enum top_sort sort);
/*
 * Sorts after an update: the selected place stays selected while its row is visible. The list does
 * not scroll, so that the first rows stay visible.
 */
void top_sort(struct top *top);
/* Sorts by a column and scrolls to the first row. */
void top_sort_by(struct top *top, enum top_sort sort, bool ascending);

/* The list and the help, or the decision tree of a place. */
void top_draw(struct top *top);
void top_draw_tree(struct top *top);

/* Return: false to quit. */
bool top_key(struct top *top, int key);

/*
 * Lines of the help, one per action.
 *
 * Return: the action, or NULL after the last line; the caller frees *names.
 */
const char *top_keys_help(size_t line, char **names);

/* Parses the rest of the command line. */
int command_top(int argc, char **argv);

#endif
