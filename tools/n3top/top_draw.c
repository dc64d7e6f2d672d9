// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat top: the list and the help. */
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>

#include "cli/telemetry.h"
#include "lib/errors.h"
#include "lib/memory.h"
#include "lib/text.h"
#include "libn3telemetry/catalog.h"
#include "top.h"

#define LABEL_WIDTH	8
#define NUMBER_WIDTH	6
#define NUMBERS_WIDTH	((TOP_NR_BARS + 1) * (NUMBER_WIDTH + 1))
#define MIN_BAR		10
#define WIDE_LEGEND	70
#define MIN_COLUMNS	(LABEL_WIDTH + MIN_BAR + 2)
#define MIN_LINES	(TOP_HEAD_LINES + 1 + TOP_FOOT_LINES)

static const char * const titles[TOP_NR_BARS] = {
	"frontend bound", "backend bound", "bad speculation", "retiring"
};

static bool is_wide(void)
{
	return COLS >= WIDE_LEGEND;
}

static void draw_legend(void)
{
	bool wide = is_wide();
	int x = 0;

	top_draw_line(1, "%s", "");
	for (size_t i = 0; i < TOP_NR_BARS; i++) {
		const char *title = wide ? titles[i] :
					   catalog_narrow_name(catalog_find_metric(top_bars[i]));
		int width = 2 + (int)strlen(title);

		if (x + width > COLS)
			break;
		attron(top_bar_attribute(i));
		mvaddch(1, x, top_letters[i]);
		attroff(top_bar_attribute(i));
		printw(" %s", title);
		x += width + (wide ? 3 : 1);
	}
}

/* "by backend_bound, smallest", or shorter, "by back, smallest". */
static char *order_text(const struct top *top)
{
	const char *name = top_sort_name(top->sort);

	if (top->sort == TOP_BY_PLACE)
		return format_string("by %s", name);
	if (!is_wide())
		name = catalog_narrow_name(catalog_find_metric(name));
	return format_string("by %s, %s", name, top->ascending ? "smallest" : "largest");
}

/* State that affects all values comes first, where it is never cut off. */
static void draw_head(const struct top *top)
{
	size_t nr = top->choice.places.nr;
	const char *core = telemetry_other_core();
	char *order = order_text(top);
	char *every = is_wide() ? format_string("every %g s, ", top->interval) : xstrdup("");

	attron(A_BOLD);
	top_draw_line(0, "%s%s%s%s%s%zu %s, %s%s", is_wide() ? "n3stat top  " : "",
		      top->paused ? "PAUSED  " : "", telemetry_is_simulated() ? "SIMULATED  " : "",
		      core ? core : "", core ? "  " : "", nr, plural(nr, "place", "places"),
		      every, order);
	attroff(A_BOLD);
	free(every);
	free(order);
	draw_legend();
}

static const char *foot(const struct top *top)
{
	if (!is_wide())
		return top->view == TOP_TREE ? "?: help  q: quit  left: back  a: all" :
					       "?: help  q: quit  right: tree  s: sort";
	return top->view == TOP_TREE ?
	       "left: back  up/down: scroll  n/N: next/previous  a: all  ?: help  q: quit" :
	       "up/down: select  right: tree  s/r: sort  p: pause  ?: help  q: quit";
}

static void draw_foot(const struct top *top)
{
	attron(A_REVERSE);
	top_draw_line(LINES - 1, "%s", foot(top));
	attroff(A_REVERSE);
}

static int bar_width(void)
{
	int left = COLS - LABEL_WIDTH - NUMBERS_WIDTH - 3;

	return left < MIN_BAR ? MIN_BAR : left > 100 ? 100 : left;
}

static int numbers_room(void)
{
	return COLS - LABEL_WIDTH - bar_width() - 2;
}

static const struct value *value_at(const struct top *top, size_t place, const char *metric)
{
	return snapshot_estimate(&top->snapshot, &top->choice, place, catalog_find_metric(metric));
}

/* One letter per share of the slots, readable without colours. */
static void draw_bar(const struct top *top, size_t place, int width)
{
	double sum = 0;
	int x = 0;

	addch('|');
	for (size_t i = 0; i < TOP_NR_BARS; i++) {
		const struct value *value = value_at(top, place, top_bars[i]);
		int end;

		if (!value->is_number)
			continue;
		sum += value->number > 0 ? value->number : 0;
		end = (int)((sum < 100 ? sum : 100) * width / 100 + 0.5);
		attron(top_bar_attribute(i));
		for (; x < end; x++)
			addch(top_letters[i]);
		attroff(top_bar_attribute(i));
	}
	for (; x < width; x++)
		addch(' ');
	addch('|');
}

static void draw_number(const struct value *value, int decimals)
{
	if (value->is_number)
		printw(" %*.*f", NUMBER_WIDTH, decimals, value->number);
	else
		printw(" %*.*s", NUMBER_WIDTH, NUMBER_WIDTH, value->text);
}

/*
 * Columns that fit; the table continues in the next line when one is full. Always includes the sort
 * column.
 */
static size_t fitting_columns(const struct top *top, int room, enum top_sort *columns)
{
	size_t nr = room < 0 ? 0 : (size_t)room / (NUMBER_WIDTH + 1);

	if (nr > TOP_NR_SORTS - 1)
		nr = TOP_NR_SORTS - 1;
	for (size_t i = 0; i < nr; i++)
		columns[i] = (enum top_sort)(TOP_BY_PLACE + 1 + i);
	if (nr && top->sort > columns[nr - 1])
		columns[nr - 1] = top->sort;
	return nr;
}

static void draw_numbers(const struct top *top, size_t place, int room)
{
	enum top_sort columns[TOP_NR_SORTS];
	size_t nr = fitting_columns(top, room, columns);

	for (size_t i = 0; i < nr; i++)
		draw_number(value_at(top, place, top_sort_name(columns[i])),
			    columns[i] == TOP_BY_IPC ? 2 : 1);
}

/*
 * Non-numeric values exceed the column width: one replaces the row, and the bar too on a narrow
 * screen.
 */
static void draw_row(const struct top *top, int y, size_t at)
{
	size_t place = top->order[at];
	const struct value *first = value_at(top, place, top_bars[0]);
	int room = numbers_room();

	top_draw_line(y, "%s", "");
	move(y, 0);
	if (at == top->selected)
		attron(A_REVERSE);
	printw("%-*s", LABEL_WIDTH, top->choice.places.v[place].name);
	if (at == top->selected)
		attroff(A_REVERSE);
	if (first->is_number || room > (int)strlen(first->text))
		draw_bar(top, place, bar_width());
	else
		room = COLS - LABEL_WIDTH;
	if (first->is_number)
		draw_numbers(top, place, room);
	else
		printw(" %.*s", room - 1, first->text);
}

/* Highlights the sort column. */
static void draw_header(const struct top *top)
{
	enum top_sort columns[TOP_NR_SORTS];
	size_t nr = fitting_columns(top, numbers_room(), columns);

	attron(A_UNDERLINE);
	top_draw_line(2, "%-*s|%-*s|", LABEL_WIDTH, "place", bar_width(), "% of slots");
	for (size_t i = 0; i < nr; i++) {
		int metric = catalog_find_metric(top_sort_name(columns[i]));
		bool percent = columns[i] != TOP_BY_IPC;

		addch(' ');
		if (columns[i] == top->sort)
			attron(A_REVERSE);
		printw("%*s%s", NUMBER_WIDTH - percent, catalog_narrow_name(metric),
		       percent ? "%" : "");
		attroff(A_REVERSE);
	}
	attroff(A_UNDERLINE);
}

static void draw_list(struct top *top)
{
	size_t rows = top_rows();

	if (top->selected < top->first)
		top->first = top->selected;
	if (top->selected >= top->first + rows)
		top->first = top->selected - rows + 1;
	draw_header(top);
	for (size_t i = 0; i < rows; i++) {
		if (top->first + i < top->choice.places.nr)
			draw_row(top, TOP_HEAD_LINES + (int)i, top->first + i);
		else
			top_draw_line(TOP_HEAD_LINES + (int)i, "%s", "");
	}
}

/* A line of the help, if it fits. */
static void __printf(2, 3) draw_help_line(int *y, const char *format, ...)
{
	va_list args;
	char *line;

	if (*y >= LINES - TOP_FOOT_LINES)
		return;
	va_start(args, format);
	line = format_args(format, args);
	va_end(args);
	top_draw_line((*y)++, "%s", line);
	free(line);
}

static void draw_words(int *y)
{
	char *words = xstrdup(" "), *longer;
	const char *word;

	for (size_t i = 0; (word = catalog_word(i)); i++) {
		longer = format_string("%s %s", words, word);
		free(words);
		words = longer;
	}
	draw_help_line(y, "  Non-numeric values:");
	draw_help_line(y, "%s", words);
	free(words);
}

static void draw_help(void)
{
	const char *does;
	char *names;
	int y = 2;

	draw_help_line(&y, "%s", "");
	for (size_t i = 0; (does = top_keys_help(i, &names)); i++) {
		draw_help_line(&y, "  %-28s%s", names, does);
		free(names);
	}
	draw_help_line(&y, "%s", "");
	draw_help_line(&y, "  Numbers are estimates, corrected by events always counted (anchors)");
	draw_words(&y);
	while (y < LINES - TOP_FOOT_LINES)
		draw_help_line(&y, "%s", "");
}

void top_draw(struct top *top)
{
	if (COLS < MIN_COLUMNS || LINES < MIN_LINES) {
		erase();
		top_draw_line(0, "needs %dx%d", MIN_COLUMNS, MIN_LINES);
		refresh();
		return;
	}
	draw_head(top);
	switch (top->view) {
	case TOP_LIST:
		draw_list(top);
		break;
	case TOP_TREE:
		top_draw_tree(top);
		break;
	case TOP_HELP:
		draw_help();
		break;
	}
	draw_foot(top);
	refresh();
}
