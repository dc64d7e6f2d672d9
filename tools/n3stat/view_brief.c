// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Brief view: per place and interval a line with utilisation, Topdown, IPC, bottleneck. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/marks.h"
#include "cli/notices.h"
#include "cli/path_advice.h"
#include "lib/memory.h"
#include "lib/terminal.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/path_read.h"
#include "view.h"

#define MIN_PLACES_WIDTH	4

/*
 * Columns as narrow as their titles and numbers, so that the longest end of a path,
 * "frontend_core_flush_bound 99%", fits 80 columns.
 */
static struct {
	const char *metric;
	int decimals;
	int width;
} columns[] = {
	{ "frontend_bound", 1, 6 },
	{ "backend_bound", 1, 6 },
	{ "bad_speculation", 1, 6 },
	{ "retiring", 1, 6 },
	{ "ipc", 3, 6 },
};

#define BUSY_WIDTH	4

static void print_busy(const struct view *view, const char *text)
{
	if (view->busy)
		printf(" %*s", BUSY_WIDTH, text);
}

static const char *cell(const struct view *view, size_t place, size_t column)
{
	return view_metric(view, place, columns[column].metric, columns[column].decimals);
}

/* Return: whether a column was too narrow for its values. */
static bool widen(const struct view *view)
{
	bool wider = false;

	for (size_t place = 0; place < view->choice->places.nr; place++) {
		for (size_t i = 0; i < NR(columns); i++) {
			int len = (int)strlen(cell(view, place, i));

			wider |= len > columns[i].width;
			columns[i].width = len > columns[i].width ? len : columns[i].width;
		}
	}
	return wider;
}

/* Return: the number of lines printed. */
static size_t print_header(const struct view *view)
{
	int width = view_places_width(view, MIN_PLACES_WIDTH);
	size_t lines = print_simulated(stdout) + view_print_legend_above(view) + 2;

	view_print_head(view, width, view_places_title(view->choice));
	print_busy(view, "busy");
	for (size_t i = 0; i < NR(columns); i++)
		printf(" %*s", columns[i].width,
		       catalog_narrow_name(catalog_find_metric(columns[i].metric)));
	printf("  bottleneck\n");
	view_print_head(view, width, "");
	print_busy(view, "%");
	for (size_t i = 0; i < NR(columns); i++)
		printf(" %*s", columns[i].width,
		       catalog_metric(catalog_find_metric(columns[i].metric)).short_unit);
	printf("  of all slots\n");
	return lines;
}

static char mark_at(const struct view *view, size_t place, int metric)
{
	int column = choice_column(view->choice, metric);

	return column < 0 ? MARK_NONE : view_mark(view, place, (size_t)column);
}

static void print_row(const struct view *view, size_t place)
{
	int width = view_places_width(view, MIN_PLACES_WIDTH);
	bool colour = use_colour(stdout);
	char mark = MARK_NONE;
	char busy[PERCENT_SIZE];
	struct path path;
	char *bottleneck;
	int pad = 0;	/* of the cell before; its mark follows the number */

	path_of_snapshot(&path, view->snapshot, view->choice, place);
	view_print_place(view, width, place);
	print_busy(view, view->busy ? utilisation_text(busy, &view->busy[place]) : "");
	for (size_t i = 0; i < NR(columns); i++) {
		int metric = catalog_find_metric(columns[i].metric);
		bool bold = colour && path_holds(&path, metric);
		const char *text = cell(view, place, i);
		int len = (int)strcspn(text, " "), after = (int)strlen(text) - len;

		printf("%c%*s%s%*.*s%s", mark, pad, "", bold ? "\033[1m" : "",
		       columns[i].width - after, len, text, bold ? "\033[0m" : "");
		mark = mark_at(view, place, metric);
		pad = after;
	}
	bottleneck = path_brief_text(&path, false);
	printf("%c%*s %s\n", mark, pad, "", bottleneck);
	free(bottleneck);
}

void view_brief(const struct view *view)
{
	static size_t lines_since;
	bool wider = widen(view);

	lines_since += view_print_gap(view);
	if (view_header_is_due(view, lines_since) || wider)
		lines_since = print_header(view);
	for (size_t i = 0; i < view->choice->places.nr; i++)
		print_row(view, view->order[i]);
	lines_since += view->choice->places.nr;
	view_print_legend_below(view);
}
