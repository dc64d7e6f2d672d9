// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat top: head, foot and the list. */
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "lib/text.h"
#include "libn3telemetry/catalog.h"
#include "reader/notices.h"
#include "reader/telemetry.h"
#include "top.h"

#define WIDE_LEGEND	70
#define FUNCTION_KEYS	79	/* columns of their labels */
#define MIN_COLUMNS	20	/* a label and a bar */
#define MIN_LINES	(TOP_HEAD_LINES + 1 + TOP_FOOT_LINES)
#define MIN_ROWS	8	/* with notes below them */
#define MUCH_DOUBT	0.1	/* part of their time */

/* Left to right. */
static const struct {
	char letter;
	const char *metric;
	const char *title;
} bars[TOP_NR_BARS] = {
	{ 'F', "frontend_bound", "frontend bound" },
	{ 'B', "backend_bound", "backend bound" },
	{ 'S', "bad_speculation", "bad speculation" },
	{ 'R', "retiring", "retiring" },
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
		int metric = catalog_find_metric(bars[i].metric);
		const char *title = wide ? bars[i].title : catalog_narrow_name(metric);
		int width = 2 + (int)strlen(title);

		if (x + width > COLS)
			break;
		attron(top_bar_attribute(i));
		mvaddch(1, x, bars[i].letter);
		attroff(top_bar_attribute(i));
		printw(" %s", title);
		x += width + (wide ? 3 : 1);
	}
}

/* "by backend_bound, smallest", on a narrow screen "by +back", as in --sort. */
static char *order_text(const struct top *top)
{
	const struct top_column *column = &top->columns[top->sort];
	const char *name = column->key;

	if (!top->sort)
		return format_string("by %s", name);
	if (is_wide())
		return format_string("by %s, %s", name, top->ascending ? "smallest" : "largest");
	if (column->kind == TOP_METRIC)
		name = catalog_narrow_name(catalog_find_metric(name));
	return format_string("by %s%s", top->ascending ? "+" : "", name);
}

static size_t nr_cpus(const struct top *top)
{
	size_t nr = 0;

	for (size_t i = 0; i < top->choice.places.nr; i++)
		nr += top->choice.places.v[i].scope == SCOPE_CPU;
	return nr;
}

/* "188 of 256 CPUs", those of which the system's values are, ", 12 shown". */
static char *count_text(const struct top *top)
{
	const struct included *system = top->nr_pinned ? &top->included[top->order[0]] : NULL;
	size_t shown = top->nr_rows - top->nr_pinned, cpus = top->who ? shown : nr_cpus(top);
	char *text = NULL;

	if (!system || !system->known)
		append_text(&text, "", "%zu %s", cpus ? cpus : shown,
			    cpus || !shown ? plural(cpus, "CPU", "CPUs") : "places");
	else if (system->nr != system->cpus)
		append_text(&text, "", "%lu of %lu CPUs", system->nr, system->cpus);
	else
		append_text(&text, "", "%lu %s", system->nr, plural(system->nr, "CPU", "CPUs"));
	if (*top->filter || top->hide_idle)
		append_text(&text, ", ", "%zu shown", shown);
	if (*top->filter)
		append_text(&text, ", ", "with '%s'", top->filter);
	return text;
}

/* State that affects all values comes first, where it is never cut off. */
static void draw_head(const struct top *top)
{
	const char *core = telemetry_other_core();
	char *order = order_text(top), *count = count_text(top);
	char *every = is_wide() ? format_string("every %g s, ", top->interval) : xstrdup("");
	char *who = top->who ? format_string("%s  ", top->who_names) : xstrdup("");
	char *title = format_string("n3stat top  %s%s%s%s%s%s, %s%s",
				    top->paused ? "PAUSED  " : "",
				    telemetry_is_simulated() ? "SIMULATED  " : "",
				    core ? core : "", core ? "  " : "", who, count, every, order);

	attron(A_BOLD);
	top_draw_line(0, "%s", title + (strlen(title) > (size_t)COLS ? strlen("n3stat top  ") : 0));
	attroff(A_BOLD);
	free(title);
	free(count);
	free(who);
	free(every);
	free(order);
	draw_legend();
}

/* The labels of F1 to F10, as in htop. */
static void draw_function_keys(void)
{
	static const char * const labels[] = {
		"Help", "Nodes", "Search", "Filter", "Tree", "SortBy", "Every-", "Every+", "Pause",
		"Quit"
	};

	top_draw_line(LINES - 1, "%s", "");
	move(LINES - 1, 0);
	for (int i = 0; i < (int)NR(labels); i++) {
		printw("F%d", i + 1);
		attron(A_REVERSE);
		printw("%-*s", i + 1 < (int)NR(labels) ? 6 : 4, labels[i]);
		attroff(A_REVERSE);
	}
}

static const char *foot(const struct top *top)
{
	static const char * const texts[][2] = {
		[TOP_LIST] = {
			"h: help  q: quit  right: tree  s: sort",
		},
		[TOP_TREE] = {
			"h: help  q: quit  left: back  a: all",
			"left: back  up/down: scroll  n/N: next/previous  a: all  h: help  q: quit",
		},
		[TOP_SORT] = {
			"enter: sort  up/down  other: back",
			"enter: sort by this column  up/down: select  any other key: back",
		},
		[TOP_HELP] = {
			"q: quit  up/down: scroll  other: back",
			"up/down: scroll  any other key: back  q: quit",
		},
	};

	return texts[top->view][top->view != TOP_LIST && is_wide()];
}

static void draw_foot(const struct top *top)
{
	const char *message = top->message ? top->message : "";

	if (top->view == TOP_LIST && COLS >= FUNCTION_KEYS && !top->typed && !top->message) {
		draw_function_keys();
		return;
	}
	attron(A_REVERSE);
	if (top->typed)
		top_draw_line(LINES - 1, "%s: %s_  %s  enter: done, escape: clear",
			      top->typed == top->filter ? "filter" : "search", top->typed,
			      message);
	else
		top_draw_line(LINES - 1, "%s", top->message ? message : foot(top));
	attroff(A_REVERSE);
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
		const struct value *value = value_at(top, place, bars[i].metric);
		int end;

		if (!value->is_number)
			continue;
		sum += value->number > 0 ? value->number : 0;
		end = (int)((sum < 100 ? sum : 100) * width / 100 + 0.5);
		attron(top_bar_attribute(i));
		for (; x < end; x++)
			addch(bars[i].letter);
		attroff(top_bar_attribute(i));
	}
	for (; x < width; x++)
		addch(' ');
	addch('|');
}

/* The word that is reported instead of the shares of slots. */
static void draw_word(const char *word, int width)
{
	bool cut = (int)strlen(word) > width;

	printw("|%-*.*s%s|", cut ? width - 1 : width, cut ? width - 1 : width, word,
	       cut ? "." : "");
}

/* Return: the width, 0 for the answer, which has the rest of the line. */
static int width_of(const struct top_column *column)
{
	return column->kind == TOP_END ? 0 : column->width;
}

static void draw_cells(const struct top *top, size_t place)
{
	for (size_t i = 0; i < top->layout.nr; i++) {
		const struct top_column *column = &top->columns[top->layout.v[i]];
		int width = width_of(column);
		char *text = top_cell(top, place, column);

		printw(" %*s", width, text);
		free(text);
	}
}

static void draw_row(const struct top *top, int y, size_t at)
{
	size_t place = top->order[at];
	const char *word = top_word(top, place);
	int indent = top->node_of[place] != TOP_NO_TREE && top->nodes == TOP_NODES_AND_CPUS;

	top_draw_line(y, "%s", "");
	move(y, 0);
	if (at == top->selected)
		attron(A_REVERSE);
	printw("%*s%-*s", indent, "", top->layout.label - indent,
	       top->choice.places.v[place].name);
	if (at == top->selected)
		attroff(A_REVERSE);
	if (word)
		draw_word(word, top->layout.bar);
	else
		draw_bar(top, place, top->layout.bar);
	draw_cells(top, place);
}

/* Highlights the sort column. */
static void draw_header(const struct top *top)
{
	const struct top_layout *layout = &top->layout;

	attron(A_UNDERLINE);
	top_draw_line(2, "%-*s|%-*s|", layout->label, "place", layout->bar, "% of slots");
	for (size_t i = 0; i < layout->nr; i++) {
		const struct top_column *column = &top->columns[layout->v[i]];

		addch(' ');
		if (layout->v[i] == top->sort)
			attron(A_REVERSE);
		printw("%*s", width_of(column), column->title);
		attroff(A_REVERSE);
	}
	attroff(A_UNDERLINE);
}

static void draw_list(struct top *top, size_t rows)
{
	size_t pinned = top_pinned(top);

	if (top->selected >= top->nr_rows)
		top->selected = top->nr_rows ? top->nr_rows - 1 : 0;
	if (top->selected < top->first)
		top->first = top->selected;
	if (top->selected >= top->first + rows - pinned)
		top->first = top->selected - rows + pinned + 1;
	if (top->first < pinned)
		top->first = pinned;
	draw_header(top);
	for (size_t i = 0; i < rows; i++) {
		size_t row = i < pinned ? i : top->first + i - pinned;

		if (row < top->nr_rows)
			draw_row(top, TOP_HEAD_LINES + (int)i, row);
		else
			top_draw_line(TOP_HEAD_LINES + (int)i, "%s", "");
	}
}

/* The time that columns cover. */
static void note_window(const struct top *top, struct top_lines *notes)
{
	double window = telemetry_window();
	const char *overlap = top->interval < window ? ", so updates overlap" : "";

	if (top->busy.known)
		top_add_line(notes, false,
			     format_string("busy, GHz, Gi/s: since the last update; "
					   "others: last %g s%s", window, overlap));
	else if (*overlap)
		top_add_line(notes, false,
			     format_string("means of the last %g s%s", window, overlap));
}

/* A CPU's values are not those of the processes, whose CPU is not always known. */
static void note_shares(const struct who *who, struct top_lines *notes)
{
	double doubt = 0, all = 0;

	for (size_t i = 0; i < who->nr_shares; i++) {
		doubt += who->shares[i].doubt;
		all += who->shares[i].theirs;
	}
	top_add_line(notes, false,
		     xstrdup("values are of the CPUs with everything that ran there"));
	if (doubt >= MUCH_DOUBT * all)
		top_add_line(notes, false,
			     format_string("moved: %.0f %% of their time may be of another CPU",
					   doubt / all * 100));
}

static void note_processes(const struct top *top, struct top_lines *notes)
{
	const struct who *who = top->who;

	if (!who)
		return;
	if (!who_set_count(&who->set))
		top_add_line(notes, false, xstrdup("the processes have ended"));
	else if (!who->nr_shares)
		top_add_line(notes, false, xstrdup("they did not run since the last update"));
	else if (!top->nr_rows)
		top_add_line(notes, false,
			     format_string("they ran on CPUs that are not measured, cpu%u most",
					   who->shares[0].cpu));
	else
		note_shares(who, notes);
}

/* The title has those of the system. */
static void note_included(const struct top *top, struct top_lines *notes)
{
	char *text = NULL;

	for (size_t row = top->nr_pinned; row < top->nr_rows; row++) {
		const struct included *included = &top->included[top->order[row]];

		if (included->known && included->nr != included->cpus)
			append_text(&text, ", ", "%s: %lu of %lu CPUs",
				    top->choice.places.v[top->order[row]].name, included->nr,
				    included->cpus);
	}
	if (text)
		top_add_line(notes, false, text);
}

/* Return: whether a column has the word for groups that are not sampled. */
static bool is_disabled(const struct top *top, size_t place)
{
	for (size_t i = 0; i < top->nr_columns; i++) {
		const struct top_column *column = &top->columns[i];

		if (column->kind == TOP_METRIC &&
		    !strcmp(snapshot_at(&top->snapshot, &top->choice, place, column->at)->text,
			    "disabled"))
			return true;
	}
	return false;
}

static void note_disabled(const struct top *top, struct top_lines *notes)
{
	char *command, *text;
	size_t row = 0;

	while (row < top->nr_rows && !is_disabled(top, top->order[row]))
		row++;
	if (row == top->nr_rows)
		return;
	text = disabled_text(&top->snapshot, &top->choice, top->order[row], &command);
	if (!text)
		return;
	top_add_line(notes, false, format_string("disabled: %s", text));
	top_add_line(notes, false, format_string("try:     %s", command));
	free(command);
	free(text);
}

/* The list, and notes below it if the screen is not too low. */
static void draw_list_and_notes(struct top *top)
{
	struct top_lines notes = { 0 };
	size_t rows = top_rows(), none = 0;

	top_fit_columns(top);
	note_processes(top, &notes);
	note_disabled(top, &notes);
	note_included(top, &notes);
	note_window(top, &notes);
	while (notes.nr && rows < MIN_ROWS + notes.nr)
		free(notes.v[--notes.nr].text);
	rows -= notes.nr;
	top->rows = rows;
	draw_list(top, rows);
	top_draw_lines(&notes, TOP_HEAD_LINES + (int)rows, notes.nr, &none);
	top_free_lines(&notes);
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
	top->rows = top_rows();
	switch (top->view) {
	case TOP_LIST:
		draw_list_and_notes(top);
		break;
	case TOP_TREE:
		top_draw_tree(top);
		break;
	case TOP_SORT:
		top_draw_menu(top);
		break;
	case TOP_HELP:
		top_draw_help(top);
		break;
	}
	draw_foot(top);
	refresh();
}
