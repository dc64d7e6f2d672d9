/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Views of a snapshot, and their common parts: first cells of rows, headers. */
#ifndef N3STAT_VIEW_H
#define N3STAT_VIEW_H

#include "libn3telemetry/included.h"
#include "libn3telemetry/interval.h"
#include "libn3telemetry/proc_stat.h"
#include "libn3telemetry/who.h"
#include "reader/options.h"

/* Marks after a value: of the window among values of intervals, or none. */
#define MARK_WINDOW	'*'
#define MARK_NONE	' '

/* Text of a metric's cell. */
#define VIEW_CELL_SIZE	(VALUE_TEXT + 8)
/* Columns of a brief view and of one of threads. */
#define VIEW_WIDTHS	5

struct view {
	const struct choice *choice;
	const struct snapshot *snapshot;
	const size_t *order;		/* of the places */
	const struct utilisation *busy;	/* of the places, or NULL */
	const struct included *included;	/* likewise */
	const struct interval *interval;	/* or NULL: all values are of the window */
	const struct who *who;		/* its shares are in the order of the places, or NULL */
	snapshot_get get;		/* of the numbers: values or estimates */
	bool rates;			/* of ghz and gips */
	bool first;			/* first output */
	bool times;			/* rows of tables start with the time */
	bool errors;			/* tables have a column of errors */
	bool colour;
	/* kept for the next report: */
	size_t lines_since;		/* since a single table's header, including it */
	int widths[VIEW_WIDTHS];	/* of the widest values, by column */
};

/* The first cell of a header or row: kind of place, or its name and the CPUs that it lacks. */
const char *view_places_title(const struct choice *choice);
int view_places_width(const struct view *view, int min);

/* Prints the first cells of a row or header, including the time if requested. */
void view_print_head(const struct view *view, int width, const char *what);
void view_print_place(const struct view *view, int width, size_t place);
int view_times_width(const struct view *view);

/* A number without decimals that its error makes meaningless, or a word. */
struct cell {
	char text[VALUE_TEXT];
	int pad;	/* blanks in place of decimals, so that points are aligned */
};

/* At most @decimals; -1: those of the module. */
void view_cell(struct cell *cell, const struct value *value, int decimals);
/* The error with the decimals of its value, or a word. */
void view_error(struct cell *cell, const struct value *value);

/* Escape sequences before and after a value: bold, and red above "much" of n3stat explain. */
#define VIEW_NO_COLUMN	SIZE_MAX
const char *view_colour(const struct view *view, size_t place, size_t column, bool bold);
const char *view_colour_end(const char *colour);

/* A metric of a brief view, or of one of threads, and the width of its title and usual numbers. */
struct view_column {
	const char *metric;
	int decimals;
	int width;
};

/* Return: the padded text of a metric's cell, or a constant one. */
const char *view_metric(const struct view *view, size_t place, const struct view_column *column,
			char text[VIEW_CELL_SIZE]);
/* Return: whether a column was too narrow for its values. */
bool view_widen(struct view *view, const struct view_column columns[VIEW_WIDTHS]);

/* Whether a number covers the window, unlike those of the interval, and rates. */
bool view_is_of_window(const struct view *view, size_t place, size_t column);
char view_mark(const struct view *view, size_t place, size_t column);
/* After the first report: why metrics are disabled, and the command that enables them. */
void view_print_disabled(const struct view *view);

/* Separates rounds of several rows. */
void view_print_gap(struct view *view);

/* Whether the header of a single table has left the screen, or will with this report. */
bool view_header_is_due(const struct view *view);

/* A row per place, a column per metric of a group. */
void view_table(struct view *view);
/* A line per place with utilisation, Topdown, IPC, answer. */
void view_brief(struct view *view);
/* As in RFC 4180. */
void view_csv(struct view *view);
/* By the schema that n3stat(1) describes. */
void view_json(struct view *view);
/* The CPUs where threads ran: their share and the CPU's values. */
void view_who(struct view *view);

/* Explains that the threads did not run. */
void print_not_running(FILE *out, const struct who *who);

#endif
