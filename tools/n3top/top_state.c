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

#define MIN_PINNED	4	/* rows of a list in which one does not scroll */
#define BUSY_LEAST	1	/* percent; less is idle */

/* Return: the current row of a place. */
static size_t row_of(const struct top *top, size_t place)
{
	size_t row = 0;

	while (top->order[row] != place)
		row++;
	return row;
}

size_t top_pinned(const struct top *top)
{
	return top->rows < MIN_PINNED ? 0 : top->nr_pinned;
}

static bool on_screen(const struct top *top, size_t row)
{
	size_t pinned = top_pinned(top);

	return row < pinned || (row >= top->first && row < top->first + top->rows - pinned);
}

static bool is_idle(const struct top *top, size_t place)
{
	const struct utilisation *busy = top->busy.v ? &top->busy.v[place] : NULL;
	const char *word = top_word(top, place);

	return busy && busy->known ? busy->busy < BUSY_LEAST : word && !strcmp(word, "idle");
}

/* A part of the place's name, of its node's, of its answer, or of a word. */
static bool contains(const struct top *top, size_t place, const char *text)
{
	const char *word = top_word(top, place);
	size_t node = top->node_of[place];
	char answer_text[ANSWER_LONG];
	struct answer answer;

	if (strcasestr(top->choice.places.v[place].name, text) ||
	    (node != TOP_NO_TREE && strcasestr(top->choice.places.v[node].name, text)) ||
	    (word && strcasestr(word, text)))
		return true;
	if (!top_answer(top, place, &answer))
		return false;
	answer_long(answer_text, &answer);
	return strcasestr(answer_text, text);
}

/* Selected processes hide the CPUs where they did not run. */
static bool is_visible(const struct top *top, size_t place)
{
	enum scope scope = top->choice.places.v[place].scope;

	if (top->who && isnan(top_theirs(top, place)))
		return false;
	if (scope == (top->nodes == TOP_NO_NODES ? SCOPE_NODE : SCOPE_CPU) &&
	    top->nodes != TOP_NODES_AND_CPUS)
		return false;
	if (top->hide_idle && scope == SCOPE_CPU && is_idle(top, place))
		return false;
	return contains(top, place, top->filter);
}

static void add_row(struct top *top, size_t place)
{
	top->order[top->nr_rows++] = place;
	top->is_row[place] = true;
}

/* A node is shown for its CPUs, too. */
static void add_node(struct top *top, size_t node)
{
	size_t first = top->nr_rows;

	add_row(top, node);
	for (size_t i = 0; i < top->choice.places.nr; i++)
		if (top->node_of[top->sorted[i]] == node && is_visible(top, top->sorted[i]))
			add_row(top, top->sorted[i]);
	if (top->nr_rows > first + 1 || is_visible(top, node))
		return;
	top->nr_rows = first;
	top->is_row[node] = false;
}

/* The system is always the first row, each node in front of its CPUs. */
static void order_rows(struct top *top)
{
	const struct top_column *column = &top->columns[top->sort];
	const struct places *places = &top->choice.places;
	size_t end;

	for (size_t i = 0; i < places->nr; i++)
		top->numbers[i] = top_number(top, i, column);
	order_by_number(top->sorted, &top->choice, top->numbers, top->ascending);
	memset(top->is_row, 0, places->nr * sizeof(*top->is_row));
	top->nr_rows = 0;
	for (size_t i = 0; i < places->nr; i++)
		if (places->v[i].scope == SCOPE_SYSTEM)
			add_row(top, i);
	top->nr_pinned = top->nr_rows;
	for (size_t i = 0; i < places->nr && top->nodes == TOP_NODES_AND_CPUS; i++)
		if (places->v[top->sorted[i]].scope == SCOPE_NODE)
			add_node(top, top->sorted[i]);
	for (size_t i = 0; i < places->nr; i++)
		if (!top->is_row[top->sorted[i]] && is_visible(top, top->sorted[i]))
			add_row(top, top->sorted[i]);
	end = top->nr_rows;
	for (size_t i = 0; i < places->nr; i++)
		if (!top->is_row[i])
			top->order[end++] = i;
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
		top->selected = top->nr_rows > top->nr_pinned ? top->nr_pinned : 0;
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

/* "12", "cpu12". */
static bool is_named(const struct top *top, size_t place)
{
	const char *name = top->choice.places.v[place].name;

	return !strcasecmp(name, top->search) ||
	       (isdigit((unsigned char)*top->search) &&
		!strcmp(name + strcspn(name, "0123456789"), top->search));
}

void top_search(struct top *top, int by)
{
	size_t nr = top->nr_rows;

	top->message = NULL;
	for (int whole = !by; whole >= 0; whole--) {
		for (size_t i = 0; i < nr; i++) {
			size_t step = by < 0 ? nr - 1 - i : i + (size_t)by;
			size_t row = (top->selected + step) % nr;

			if (!(whole ? is_named(top, top->order[row]) :
				      contains(top, top->order[row], top->search)))
				continue;
			top->selected = row;
			return;
		}
	}
	top->message = "not found";
}
