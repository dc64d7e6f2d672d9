// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat top: state of the display, independent of drawing. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/suggest.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/order.h"
#include "reader/errors.h"
#include "top.h"

/* Return: the current row of a place. */
static size_t row_of(const struct top *top, size_t place)
{
	size_t row = 0;

	while (top->order[row] != place)
		row++;
	return row;
}

static bool on_screen(const struct top *top, size_t row)
{
	return row >= top->first && row < top->first + top->rows;
}

/* Selected processes hide the CPUs where they did not run: these are last. */
static void hide_rows(struct top *top)
{
	top->nr_rows = 0;
	for (size_t i = 0; i < top->choice.places.nr; i++) {
		size_t place = top->order[i], *row = &top->order[top->nr_rows];

		if (top->who && isnan(top_theirs(top, place)))
			continue;
		memmove(row + 1, row, (i - top->nr_rows) * sizeof(*row));
		*row = place;
		top->nr_rows++;
	}
}

static void order_rows(struct top *top)
{
	const struct top_column *column = &top->columns[top->sort];
	size_t nr = top->choice.places.nr;

	for (size_t i = 0; i < nr; i++)
		top->numbers[i] = top_number(top, i, column);
	order_by_number(top->order, &top->choice, top->numbers, top->ascending);
	hide_rows(top);
}

void top_sort(struct top *top)
{
	size_t place = top->order[top->selected], row;

	order_rows(top);
	row = row_of(top, place);
	if (top->view != TOP_LIST || (row < top->nr_rows && (!top->sort || on_screen(top, row))))
		top->selected = row;
	else if (top->selected >= top->nr_rows)
		top->selected = top->nr_rows ? top->nr_rows - 1 : 0;
}

void top_sort_by(struct top *top, size_t column, bool ascending)
{
	top->sort = column;
	top->ascending = ascending;
	top_sort(top);
	if (top->sort && top->view == TOP_LIST)
		top->selected = 0;
}

static void __noreturn die_unknown(const struct top *top, const char *key)
{
	char *names = top_column_names(top, "; columns");
	struct suggestion suggestion;

	suggest_begin(&suggestion, key);
	for (size_t i = 0; i < top->nr_columns; i++)
		suggest_name(&suggestion, top->columns[i].key);
	die(ERR_UNKNOWN_METRIC, "no column '%s'%s", key, suggest_end(&suggestion, names));
}

void top_sort_option(struct top *top, const char *key)
{
	bool ascending = *key == '+';
	int metric;

	key += *key == '+' || *key == '-';
	metric = catalog_find_short_name(key);
	if (metric >= 0)
		key = catalog_metric_name(metric);
	for (size_t i = 0; i < top->nr_columns; i++) {
		if (strcasecmp(top->columns[i].key, key))
			continue;
		top_sort_by(top, i, ascending);
		return;
	}
	if (metric < 0)
		die_unknown(top, key);
	die(ERR_METRIC_NOT_SHOWN, "cannot sort by '%s', which is not shown; add -m %s", key, key);
}

/* "12", "cpu12" or a part of the place's name or of its answer. */
static bool matches(const struct top *top, size_t place, bool whole)
{
	const struct place *shown = &top->choice.places.v[place];
	char text[ANSWER_SHORT];
	struct answer answer;

	if (whole)
		return !strcasecmp(shown->name, top->search) ||
		       (isdigit((unsigned char)*top->search) &&
			!strcmp(shown->name + strcspn(shown->name, "0123456789"), top->search));
	if (strcasestr(shown->name, top->search))
		return true;
	if (!top_answer(top, place, &answer))
		return false;
	answer_short(text, &answer);
	return strcasestr(text, top->search);
}

void top_search(struct top *top, int by)
{
	size_t nr = top->nr_rows;

	top->not_found = false;
	for (int whole = !by; whole >= 0; whole--) {
		for (size_t i = 0; i < nr; i++) {
			size_t step = by < 0 ? nr - 1 - i : i + (size_t)by;
			size_t row = (top->selected + step) % nr;

			if (!matches(top, top->order[row], whole))
				continue;
			top->selected = row;
			return;
		}
	}
	top->not_found = true;
}
