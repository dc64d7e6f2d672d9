/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Views of a snapshot, and their common parts: first cells of rows, headers. */
#ifndef N3STAT_VIEW_H
#define N3STAT_VIEW_H

#include "libn3telemetry/interval.h"
#include "reader/included.h"
#include "reader/options.h"
#include "reader/proc_stat.h"
#include "reader/who.h"

/* Marks after a value: of the window among values of intervals, or none. */
#define MARK_WINDOW	'*'
#define MARK_NONE	' '

struct view {
	const struct choice *choice;
	const struct snapshot *snapshot;
	const size_t *order;		/* of the places */
	const struct utilisation *busy;	/* of the places, or NULL */
	const struct included *included;	/* likewise */
	const struct interval *interval;	/* or NULL: all values are of the window */
	const struct who *who;		/* its shares are in the order of the places, or NULL */
	snapshot_get get;		/* of the numbers: values or estimates */
	bool rates;			/* frequency and instructions per second are known */
	bool first;			/* first output */
	bool times;			/* rows of tables start with the time */
	bool errors;			/* tables have a column of errors */
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
/* Text of a metric's cell, padded; valid until the next call. */
const char *view_metric(const struct view *view, size_t place, const char *metric, int decimals);

/* Whether a number covers the window, unlike those of the interval, and rates. */
bool view_is_of_window(const struct view *view, size_t place, size_t column);
char view_mark(const struct view *view, size_t place, size_t column);
/* After the first report: why metrics are disabled, and the command that enables them. */
void view_print_disabled(const struct view *view);

/* Separates rounds of several rows. Return: the number of lines. */
size_t view_print_gap(const struct view *view);

/* Whether the header of a single table has left the screen, or will with this report. */
bool view_header_is_due(const struct view *view, size_t lines_since);

/* A row per place, a column per metric of a group. */
void view_table(const struct view *view);
/* A line per place with utilisation, Topdown, IPC, bottleneck. */
void view_brief(const struct view *view);
/* As in RFC 4180. */
void view_csv(const struct view *view);
/* By the schema that n3stat(1) describes. */
void view_json(const struct view *view);
/* The CPUs where threads ran: their share and the CPU's values. */
void view_who(const struct view *view);

/* Title such as "pid 1 (init), comm sh"; the caller frees it. */
char *who_title(const struct who *who);
/* Explains that the threads did not run. */
void print_not_running(FILE *out, const struct who *who);

#endif
