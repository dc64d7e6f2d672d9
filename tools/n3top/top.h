/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat top: state of the display; drawing, keys and the command. */
#ifndef N3TOP_TOP_H
#define N3TOP_TOP_H

#include <stdint.h>

#include "libn3telemetry/busy.h"
#include "libn3telemetry/included.h"
#include "libn3telemetry/answer.h"
#include "libn3telemetry/snapshot.h"
#include "libn3telemetry/who.h"
#include "reader/options.h"
#include "top_screen.h"

#define TOP_NO_TREE	SIZE_MAX
#define TOP_TEXT	32
#define TOP_LABEL	48

enum top_view {
	TOP_LIST,		/* a row per place */
	TOP_TREE,		/* one place's decision tree */
	TOP_SORT,		/* menu of the columns to sort by */
	TOP_HELP,
};

/* Rows of nodes: none, instead of those of CPUs, or before the node's CPUs. */
enum top_nodes {
	TOP_NO_NODES,
	TOP_ONLY_NODES,
	TOP_NODES_AND_CPUS,
};

enum top_kind {
	TOP_PLACE,		/* always the first column, and not the last to be sorted by */
	TOP_THEIRS,		/* CPU time of the selected processes */
	TOP_METRIC,
	TOP_BUSY,
	TOP_GHZ,
	TOP_GIPS,
	TOP_END,		/* the answer: always the last column */
};

struct top_column {
	enum top_kind kind;
	const char *key;	/* of --sort */
	char title[VALUE_NAME];
	int width;
	size_t at;		/* in the columns of choice, for a metric */
	int rank;		/* those with the lowest are given room first */
	bool fits;
};

/* Columns that fit the screen, in the order of the display; the answer is the last. */
struct top_layout {
	int label;
	int bar;
	size_t nr;
	size_t *v;		/* in the columns of top */
};

struct top {
	struct choice choice;
	struct snapshot snapshot;
	size_t nr_read;			/* files of choice read for the list */
	size_t tree_of;			/* the place read for the tree, or TOP_NO_TREE */
	struct top_column *columns;
	size_t nr_columns;
	struct top_layout layout;
	struct busy busy;
	struct included *included;	/* of the places */
	struct who *who;		/* of --pid, --comm, --cgroup, or NULL */
	char *who_names;
	double *numbers;		/* of the places, to sort by */
	size_t *sorted;			/* all places by the sort column */
	bool *is_row;			/* of the places: not hidden */
	size_t *node_of;		/* of the places: that of a CPU's node, or TOP_NO_TREE */
	size_t *order;			/* places in the order of rows, hidden ones last */
	size_t nr_rows;			/* places that are not hidden */
	size_t nr_pinned;		/* first rows, which do not scroll: the system */
	size_t selected;		/* index in order */
	size_t first;			/* first row on the screen */
	size_t tree_first;		/* first line of the tree on the screen */
	size_t help_first;
	size_t menu;			/* column selected in the menu */
	size_t menu_first;
	enum top_view view;
	enum top_view before_help;
	size_t sort;			/* column */
	bool ascending;			/* smallest value of the column first */
	bool whole_tree;		/* nothing is folded */
	enum top_nodes nodes;
	bool hide_idle;
	bool paused;
	bool quit;
	char *typed;			/* @search or @filter while it is typed, or NULL */
	const char *message;		/* instead of the keys, until the next one, or NULL */
	char search[TOP_TEXT];
	char filter[TOP_TEXT];
	size_t rows;			/* rows available on the screen */
	double interval;
};

/* Adds the files of all columns to the choice. */
void top_choose_columns(struct top *top, const struct options *options);
/* Finds the columns of a snapshot that has been read. */
void top_make_columns(struct top *top, const struct options *options);
void top_free_columns(struct top *top);
/* Names of all columns after "LEAD:"; the caller frees the text. */
char *top_column_names(const struct top *top, const char *lead);
/* Chooses the columns that fit the screen. */
void top_fit_columns(struct top *top);
/* Return: the number of files to read for the list. */
size_t top_files(const struct top *top);
/* The answer in the list. Return: false if it has not been read. */
bool top_answer(const struct top *top, size_t place, struct answer *answer);
/* The word in place of a place's values, or NULL if it has values. */
const char *top_word(const struct top *top, size_t place);
/* Value or NAN. */
double top_number(const struct top *top, size_t place, const struct top_column *column);
/* Text of a cell; the caller frees it. */
char *top_cell(const struct top *top, size_t place, const struct top_column *column);
/* The place, and how many of its CPUs its values are of. */
void top_label(const struct top *top, size_t place, char label[TOP_LABEL]);
/* Time of a CPU that the selected processes had, in percent; NAN if they did not run there. */
double top_theirs(const struct top *top, size_t place);

/*
 * Sorts after an update: the selected place stays selected while its row is visible. The list does
 * not scroll, so that the first rows stay visible.
 */
void top_sort(struct top *top);
/* Sorts by a column and scrolls to the first row. */
void top_sort_by(struct top *top, size_t column, bool ascending);
/* Sorts by the argument of --sort; exits if there is no such column. */
void top_sort_option(struct top *top, const char *key);
/* Selects the next row that is searched for: from the selected one on, or after it. */
void top_search(struct top *top, int by);
/* Rows that do not scroll; none on a low screen. */
size_t top_pinned(const struct top *top);

/* The list, the decision tree of a place, the menu of columns, and the help. */
void top_draw(struct top *top);
void top_draw_tree(struct top *top);
void top_draw_menu(struct top *top);
void top_draw_help(struct top *top);

/* Return: false to quit. */
bool top_key(struct top *top, int key);

/* Parses the rest of the command line. */
int command_top(int argc, char **argv);

#endif
