// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Brief view: per place and interval a line with utilisation, rates, Topdown, IPC, the answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "lib/terminal.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/answer_read.h"
#include "reader/notices.h"
#include "view.h"

#define MIN_PLACES_WIDTH	4

/* As narrow as their titles and numbers, so that the longest answer fits 80 columns. */
static const struct view_column columns[VIEW_WIDTHS] = {
	{ "frontend_bound", 1, 6 },
	{ "backend_bound", 1, 6 },
	{ "bad_speculation", 1, 6 },
	{ "retiring", 1, 6 },
	{ "ipc", 3, 6 },
};

#define BUSY_WIDTH	4
#define GHZ_WIDTH	5
#define GIPS_WIDTH	6
/* Instructions per second fit in addition to the longest answer. */
#define GIPS_SCREEN	87

static void print_busy(const struct view *view, const char *text)
{
	if (view->busy)
		printf(" %*s", BUSY_WIDTH, text);
}

static bool has_gips(const struct view *view)
{
	return view->rates && screen_width(GIPS_SCREEN) >= GIPS_SCREEN;
}

static void print_rates(const struct view *view, const char *ghz, const char *gips)
{
	if (view->rates)
		printf(" %*s", GHZ_WIDTH, ghz);
	if (has_gips(view))
		printf(" %*s", GIPS_WIDTH, gips);
}

static void print_rates_at(const struct view *view, size_t place)
{
	struct cell cells[NR_RATES];

	if (!view->rates)
		return;
	for (enum rates_column rate = RATES_GHZ; rate < NR_RATES; rate++) {
		int column = choice_rate(view->choice, rate);

		view_cell(&cells[rate], snapshot_at(view->snapshot, view->choice, place,
						    (size_t)column), 2);
	}
	print_rates(view, cells[RATES_GHZ].text, cells[RATES_GIPS].text);
}

/* Return: the number of lines printed. */
static size_t print_header(const struct view *view)
{
	int width = view_places_width(view, MIN_PLACES_WIDTH);
	size_t lines = print_simulated(stdout) + 2;

	view_print_head(view, width, view_places_title(view->choice));
	print_busy(view, "busy");
	print_rates(view, rates_info[RATES_GHZ].name, rates_info[RATES_GIPS].name);
	for (size_t i = 0; i < NR(columns); i++)
		printf(" %*s", view->widths[i],
		       catalog_narrow_name(catalog_find_metric(columns[i].metric)));
	printf(" answer\n");
	view_print_head(view, width, "");
	print_busy(view, "%");
	print_rates(view, rates_info[RATES_GHZ].short_unit, rates_info[RATES_GIPS].short_unit);
	for (size_t i = 0; i < NR(columns); i++)
		printf(" %*s", view->widths[i],
		       catalog_metric(catalog_find_metric(columns[i].metric)).short_unit);
	printf(" of all slots\n");
	return lines;
}

static void print_row(const struct view *view, size_t place)
{
	int width = view_places_width(view, MIN_PLACES_WIDTH);
	char mark = MARK_NONE;
	char busy[PERCENT_SIZE];
	struct answer answer;
	char end[ANSWER_SHORT];
	int pad = 0;	/* of the cell before; its mark follows the number */

	answer_of_snapshot(&answer, view->snapshot, view->choice, place);
	answer_short(end, &answer);
	view_print_place(view, width, place);
	print_busy(view, view->busy ? utilisation_text(busy, &view->busy[place]) : "");
	print_rates_at(view, place);
	for (size_t i = 0; i < NR(columns); i++) {
		int metric = catalog_find_metric(columns[i].metric);
		int column = choice_column(view->choice, metric);
		const char *colour = view_colour(view, place,
						 column < 0 ? VIEW_NO_COLUMN : (size_t)column,
						 answer_has(&answer, metric));
		char buffer[VIEW_CELL_SIZE];
		const char *text = view_metric(view, place, &columns[i], buffer);
		int len = (int)strcspn(text, " "), after = (int)strlen(text) - len;

		printf("%c%*s%s%*.*s%s", mark, pad, "", colour,
		       view->widths[i] - after, len, text, view_colour_end(colour));
		mark = column < 0 ? MARK_NONE : view_mark(view, place, (size_t)column);
		pad = after;
	}
	printf("%c%*s%s\n", mark, pad, "", end);
}

void view_brief(struct view *view)
{
	bool wider = view_widen(view, columns);

	view_print_gap(view);
	if (view_header_is_due(view) || wider)
		view->lines_since = print_header(view);
	for (size_t i = 0; i < view->choice->places.nr; i++)
		print_row(view, view->order[i]);
	view->lines_since += view->choice->places.nr;
	view_print_disabled(view);
}
