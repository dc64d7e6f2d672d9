// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Common parts of all views of a snapshot: first cells of rows, headers. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/terminal.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/answer_read.h"
#include "libn3telemetry/texts.h"
#include "reader/notices.h"
#include "view.h"

#define TIME_WIDTH	24	/* 2026-12-31 12:59:59.999 and a space */
#define LABEL_SIZE	96	/* a name, and INCLUDED_TEXT */

const char *view_places_title(const struct choice *choice)
{
	enum scope scope = choice->places.v[0].scope;

	for (size_t i = 1; i < choice->places.nr; i++)
		if (choice->places.v[i].scope != scope)
			return "";
	return scope == SCOPE_SYSTEM ? "" : scope_names[scope];
}

/* Only the number if all are of a kind. Return: the length. */
static int set_label(char label[LABEL_SIZE], const struct view *view, size_t place)
{
	const struct included *included = view->included ? &view->included[place] : NULL;
	const struct place *shown = &view->choice->places.v[place];
	char text[INCLUDED_TEXT];
	int len;

	if (*view_places_title(view->choice))
		len = snprintf(label, LABEL_SIZE, "%u", shown->id);
	else
		len = snprintf(label, LABEL_SIZE, "%s", shown->name);
	if (included)
		len += snprintf(label + len, LABEL_SIZE - (size_t)len, "%s",
				included_text(text, included));
	return len;
}

int view_places_width(const struct view *view, int min)
{
	char label[LABEL_SIZE];
	int width = min;

	for (size_t i = 0; i < view->choice->places.nr; i++) {
		int len = set_label(label, view, i);

		width = len > width ? len : width;
	}
	return width;
}

/*
 * The header of a single table is repeated when it has left the screen; in a file or pipe it
 * is printed once.
 */
bool view_header_is_due(const struct view *view)
{
	size_t height = screen_height(SIZE_MAX);

	if (!view->lines_since || screen_has_changed())
		return true;
	return height != SIZE_MAX && view->lines_since + view->choice->places.nr >= height;
}

void view_print_head(const struct view *view, int width, const char *what)
{
	printf("%*s", view_times_width(view) + width, what);
}

void view_print_place(const struct view *view, int width, size_t place)
{
	time_t seconds = (time_t)view->snapshot->time;
	char label[LABEL_SIZE], text[TIME_WIDTH + 1];
	struct tm local;

	if (view->times) {
		localtime_r(&seconds, &local);
		strftime(text, sizeof(text), "%F %T", &local);
		/* Not rounded, as that may be the next second. */
		printf("%s.%03d ", text, (int)((view->snapshot->time - (double)seconds) * 1000));
	}
	set_label(label, view, place);
	printf("%*s", width, label);
}

int view_times_width(const struct view *view)
{
	return view->times ? TIME_WIDTH : 0;
}

static int decimals_of(const struct value *value)
{
	const char *point = strchr(value->text, '.');

	return point ? (int)strlen(point + 1) : 0;
}

static void set_number(struct cell *cell, double number, int decimals, int most)
{
	snprintf(cell->text, sizeof(cell->text), "%.*f", decimals, number);
	cell->pad = most - decimals + (most && !decimals);
}

void view_cell(struct cell *cell, const struct value *value, int decimals)
{
	int own = decimals_of(value), kept;

	*cell = (struct cell) { .pad = 0 };
	if (decimals < 0)
		decimals = own;
	kept = value_decimals(value, decimals);
	/* Digit by digit: a double may have fewer than the text. */
	if (!value->is_number || kept == own)
		snprintf(cell->text, sizeof(cell->text), "%s", value->text);
	else
		set_number(cell, value->number, kept, decimals);
}

void view_error(struct cell *cell, const struct value *value)
{
	int own = decimals_of(value);

	*cell = (struct cell) { .pad = 0 };
	if (value->is_margin)
		strcpy(cell->text, NO_VALUE);
	else if (value->has_range)
		set_number(cell, value_error(value), value_decimals(value, own), own);
	else
		strcpy(cell->text, value->has_coverage ? NO_RANGE : NO_VALUE);
}

/* Whether a value is large; shares of parents are compared as shares of all slots. */
static bool is_much(const struct view *view, size_t place, size_t column)
{
	int metric = view->choice->columns[column].metric, above[PATH_DEPTH];
	const struct value *value = view->get(view->snapshot, view->choice, place, column);
	double number = value->number, much;

	if (metric < 0 || !value->is_number)
		return false;
	/* Much of it is good. */
	if (metric == catalog_find_metric("retiring"))
		return false;
	much = metric_much(metric);
	if (!isnan(much) && path_to(metric, above) > 1)
		number = answer_share_at(view->snapshot, view->choice, place, metric).value;
	return number > much;
}

const char *view_colour(const struct view *view, size_t place, size_t column, bool bold)
{
	bool much = view->colour && column != VIEW_NO_COLUMN && is_much(view, place, column);

	if (!view->colour || (!bold && !much))
		return "";
	return !much ? "\033[1m" : bold ? "\033[1;31m" : "\033[31m";
}

const char *view_colour_end(const char *colour)
{
	return *colour ? "\033[0m" : "";
}

const char *view_metric(const struct view *view, size_t place, const struct view_column *column,
			char text[VIEW_CELL_SIZE])
{
	int at = choice_column(view->choice, catalog_find_metric(column->metric));
	struct cell cell;

	if (at < 0)
		return NO_VALUE;
	view_cell(&cell, view->get(view->snapshot, view->choice, place, (size_t)at),
		  column->decimals);
	snprintf(text, VIEW_CELL_SIZE, "%s%*s", cell.text, cell.pad, "");
	return text;
}

bool view_widen(struct view *view, const struct view_column columns[VIEW_WIDTHS])
{
	char text[VIEW_CELL_SIZE];
	bool wider = false;

	for (size_t i = 0; i < VIEW_WIDTHS; i++) {
		int before = view->widths[i] ? view->widths[i] : columns[i].width;

		view->widths[i] = before;
		for (size_t place = 0; place < view->choice->places.nr; place++) {
			int len = (int)strlen(view_metric(view, place, &columns[i], text));

			view->widths[i] = len > view->widths[i] ? len : view->widths[i];
		}
		wider |= view->widths[i] > before;
	}
	return wider;
}

bool view_is_of_window(const struct view *view, size_t place, size_t column)
{
	const struct choice *choice = view->choice;
	const struct value *value = snapshot_at(view->snapshot, choice, place, column);

	return value->is_number && !value->of_interval &&
	       !choice->files[choice->columns[column].file].rates;
}

char view_mark(const struct view *view, size_t place, size_t column)
{
	return view->interval && view_is_of_window(view, place, column) ? MARK_WINDOW : MARK_NONE;
}

void view_print_gap(struct view *view)
{
	if (view->first || view->choice->places.nr <= 1)
		return;
	putchar('\n');
	view->lines_since++;
}

void view_print_disabled(const struct view *view)
{
	char *command, *text = NULL;

	for (size_t i = 0; view->first && !text && i < view->choice->places.nr; i++)
		text = disabled_text(view->snapshot, view->choice, view->order[i], &command);
	if (!text)
		return;
	printf("disabled: %s; try: %s\n", text, command);
	free(command);
	free(text);
}
