// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* One line per place and interval, as vmstat does: Topdown, IPC, the bottleneck. */
#include <stdio.h>
#include <string.h>

#include "catalog.h"
#include "common.h"
#include "path_read.h"
#include "view_brief.h"

#define MIN_WIDTH	9	/* room for most words; more would be too wide for 80 columns */
#define CELL_SIZE	(VALUE_TEXT + 8)

/* In the order of the columns. */
static const struct {
	const char *metric;
	const char *title;
	int decimals;
} columns[] = {
	{ "frontend_bound", "frontend", 1 },
	{ "backend_bound", "backend", 1 },
	{ "bad_speculation", "bad_spec", 1 },
	{ "retiring", "retiring", 1 },
	{ "ipc", "ipc", 3 },
};

static int width = MIN_WIDTH;

static const char *cell(const struct view *view, size_t place, size_t column)
{
	int metric = catalog_find_metric(columns[column].metric);
	const struct value *value = snapshot_metric(view->snapshot, view->choice, place, metric);
	static char text[CELL_SIZE];

	if (!value || !value->is_number)
		snprintf(text, sizeof(text), "%s", value ? value->text : NO_VALUE);
	else
		snprintf(text, sizeof(text), "%.*f", columns[column].decimals, value->number);
	return text;
}

/* Return: whether the columns were too narrow for what is to be printed. */
static bool widen(const struct view *view)
{
	int before = width;

	for (size_t place = 0; place < view->choice->places.nr; place++) {
		for (size_t i = 0; i < NR(columns); i++) {
			int len = (int)strlen(cell(view, place, i));

			width = len > width ? len : width;
		}
	}
	return width > before;
}

static size_t print_header(const struct choice *choice)
{
	int places_width = view_places_width(choice);

	printf("%*s", places_width, view_places_title(choice));
	for (size_t i = 0; i < NR(columns); i++)
		printf(" %*s", width, columns[i].title);
	printf("  worst branch\n%*s", places_width, "");
	for (size_t i = 0; i < NR(columns); i++)
		printf(" %*s", width,
		       catalog_metric(catalog_find_metric(columns[i].metric)).short_unit);
	printf("\n");
	return 2;
}

/* Without the "_bound" that most names of the tree end with. */
static void print_name(const char *name)
{
	const char *end = strstr(name, "_bound");

	printf("%.*s", end ? (int)(end - name) : (int)strlen(name), name);
}

static void print_worst(const struct path *path, const struct view *view, size_t place)
{
	const struct value *value;
	int end;

	printf("  ");
	if (!path->nr && path->undecided[0] < 0) {
		printf("-");
		return;
	}
	if (!path->nr) {
		print_name(catalog_metric_name(path->undecided[0]));
		printf(" or ");
		print_name(catalog_metric_name(path->undecided[1]));
		return;
	}
	end = path->metrics[path->nr - 1];
	value = snapshot_metric(view->snapshot, view->choice, place, end);
	print_name(catalog_metric_name(end));
	if (value->is_number)
		printf(" %.0f%%", value->number);
}

static void print_row(const struct view *view, size_t place)
{
	bool colour = use_colour(stdout);
	struct path path;

	path_of_snapshot(&path, view->snapshot, view->choice, place);
	printf("%*s", view_places_width(view->choice), view_place_label(view->choice, place));
	for (size_t i = 0; i < NR(columns); i++) {
		bool bold = colour && path_holds(&path, catalog_find_metric(columns[i].metric));

		printf(" %s%*s%s", bold ? "\033[1m" : "", width, cell(view, place, i),
		       bold ? "\033[0m" : "");
	}
	print_worst(&path, view, place);
	printf("\n");
}

void view_brief(const struct view *view)
{
	static size_t lines_since;
	bool wider = widen(view);

	if (view_header_is_due(view, lines_since) || wider)
		lines_since = print_header(view->choice);
	for (size_t i = 0; i < view->choice->places.nr; i++)
		print_row(view, view->order[i]);
	lines_since += view->choice->places.nr;
}
