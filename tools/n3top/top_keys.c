// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat top: keys, their actions and the help. */
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/texts.h"
#include "top.h"

#define ESCAPE	27
#define DELETE	127
#define END	10000	/* pages, more than any list has */
#define TOGGLE_TREE	(-1)	/* instead of a view */
#define KEYS_WIDTH	28
#define WIDE		70	/* columns of a screen with keys and actions side by side */

static void move_selection(struct top *top, int by)
{
	long to = (long)top->selected + by;
	long last = top->nr_rows ? (long)top->nr_rows - 1 : 0;

	top->selected = to < 0 ? 0 : to > last ? (size_t)last : (size_t)to;
	top->tree_first = 0;
}

static void scroll_lines(size_t *first, int by)
{
	long to = (long)*first + by;

	*first = to < 0 ? 0 : (size_t)to;
}

static void move_menu(struct top *top, int by)
{
	long to = (long)top->menu + by, last = (long)top->nr_columns - 1;

	top->menu = to < 0 ? 0 : to > last ? (size_t)last : (size_t)to;
}

static void move_lines(struct top *top, int by)
{
	if (top->view == TOP_TREE)
		scroll_lines(&top->tree_first, by);
	else if (top->view == TOP_HELP)
		scroll_lines(&top->help_first, by);
	else if (top->view == TOP_SORT)
		move_menu(top, by);
	else
		move_selection(top, by);
}

static void move_pages(struct top *top, int by)
{
	move_lines(top, by * (int)(top->rows - (top->view == TOP_LIST ? top_pinned(top) : 0)));
}

static void show(struct top *top, int view)
{
	if (view == TOP_HELP) {
		top->before_help = top->view;
		top->help_first = 0;
	}
	if (view == TOP_LIST && top->view == TOP_LIST) {
		top->search[0] = '\0';
		top->filter[0] = '\0';
		top_sort(top);
	}
	if (view == TOGGLE_TREE)
		view = top->view == TOP_TREE ? TOP_LIST : TOP_TREE;
	if (view != TOP_TREE || top->nr_rows)
		top->view = (enum top_view)view;
}

static void start_search(struct top *top, int by)
{
	(void)by;
	top->view = TOP_LIST;
	top->typed = top->search;
	top->search[0] = '\0';
}

static void start_filter(struct top *top, int by)
{
	(void)by;
	top->view = TOP_LIST;
	top->typed = top->filter;
}

/* Without a search, the next place. */
static void move_on(struct top *top, int by)
{
	if (top->view == TOP_LIST && *top->search)
		top_search(top, by);
	else
		move_selection(top, by);
}

static void fold(struct top *top, int by)
{
	(void)by;
	top->whole_tree = !top->whole_tree;
}

static void change_sort(struct top *top, int by)
{
	top_sort_by(top, (top->sort + top->nr_columns + (size_t)by) % top->nr_columns,
		    top->ascending);
}

static void choose_sort(struct top *top, int by)
{
	top->menu = top->sort;
	show(top, by);
}

static void change_nodes(struct top *top, int by)
{
	bool nodes = false, known = false;

	(void)by;
	for (size_t i = 0; i < top->choice.places.nr; i++) {
		nodes |= top->choice.places.v[i].scope == SCOPE_NODE;
		known |= top->node_of[i] != TOP_NO_TREE;
	}
	if (!nodes)
		top->message = "no rows of nodes; see --per";
	else if (top->nodes == TOP_ONLY_NODES && known)
		top->nodes = TOP_NODES_AND_CPUS;
	else
		top->nodes = top->nodes ? TOP_NO_NODES : TOP_ONLY_NODES;
	top_sort(top);
}

static void hide_idle(struct top *top, int by)
{
	(void)by;
	top->hide_idle = !top->hide_idle;
	top_sort(top);
}

/* To the next shorter or longer one. */
static void change_interval(struct top *top, int by)
{
	static const double intervals[] = { 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60 };
	double next = top->interval;

	for (size_t i = 0; i < NR(intervals); i++) {
		double interval = intervals[by > 0 ? NR(intervals) - 1 - i : i];

		if (by > 0 ? interval > top->interval : interval < top->interval)
			next = interval;
	}
	top->interval = next;
}

static void reverse_sort(struct top *top, int by)
{
	(void)by;
	top_sort_by(top, top->sort, !top->ascending);
}

static void pause_reading(struct top *top, int by)
{
	(void)by;
	top->paused = !top->paused;
}

static void quit(struct top *top, int by)
{
	(void)by;
	top->quit = true;
}

struct key {
	int code;		/* ncurses code; 0 terminates the list */
	int by;
};

/* In the order of the help. */
static const struct {
	void (*act)(struct top *top, int by);
	const char *help;
	struct key keys[6];
} actions[] = {
	{ move_lines, "select a place, or scroll its tree",
	  { { KEY_UP, -1 }, { KEY_DOWN, 1 }, { 'k', -1 }, { 'j', 1 } } },
	{ move_pages, "the same by a screen, or to the end",
	  { { KEY_PPAGE, -1 }, { KEY_NPAGE, 1 }, { KEY_HOME, -END }, { KEY_END, END } } },
	{ show, "its decision tree",
	  { { KEY_RIGHT, TOP_TREE }, { KEY_ENTER, TOP_TREE }, { '\n', TOP_TREE },
	    { 'l', TOP_TREE }, { KEY_F(5), TOGGLE_TREE } } },
	{ show, "back to the list",
	  { { KEY_LEFT, TOP_LIST }, { KEY_BACKSPACE, TOP_LIST }, { ESCAPE, TOP_LIST } } },
	{ start_filter, "only places, answers or words with a text",
	  { { '/', 0 }, { '\\', 0 }, { KEY_F(4), 0 } } },
	{ hide_idle, "hide or show idle CPUs", { { 'i', 0 } } },
	{ start_search, "select the first row with a text", { { KEY_F(3), 0 } } },
	{ move_on, "next or previous with it, or the next tree", { { 'n', 1 }, { 'N', -1 } } },
	{ change_nodes, "rows of CPUs, nodes, or both", { { '2', 0 }, { KEY_F(2), 0 } } },
	{ fold, "show the whole tree, or fold it (+) to fit", { { 'a', 0 } } },
	{ choose_sort, "choose the column to sort by",
	  { { 's', TOP_SORT }, { KEY_F(6), TOP_SORT } } },
	{ change_sort, "sort by the next or previous column", { { '>', 1 }, { '<', -1 } } },
	{ reverse_sort, "reverse the order of a column", { { 'r', 0 } } },
	{ change_interval, "shorter or longer interval",
	  { { '-', -1 }, { '+', 1 }, { KEY_F(7), -1 }, { KEY_F(8), 1 } } },
	{ pause_reading, "pause or continue", { { 'p', 0 }, { ' ', 0 }, { KEY_F(9), 0 } } },
	{ show, "this help; most keys return",
	  { { 'h', TOP_HELP }, { '?', TOP_HELP }, { KEY_F(1), TOP_HELP } } },
	{ quit, "quit", { { 'q', 0 }, { KEY_F(10), 0 } } },
};

/* A key while the text is typed. */
static void type(struct top *top, int key)
{
	size_t length = strlen(top->typed);
	bool filters = top->typed == top->filter;

	if (key == ESCAPE)
		top->typed[0] = '\0';
	else if ((key == KEY_BACKSPACE || key == DELETE || key == '\b') && length)
		top->typed[length - 1] = '\0';
	else if (key >= ' ' && key < DELETE && length + 1 < TOP_TEXT)
		strcpy(&top->typed[length], (const char[]) { (char)key, '\0' });
	if (key == '\n' || key == KEY_ENTER || key == ESCAPE)
		top->typed = NULL;
	if (filters)
		top_sort(top);
	else if (*top->search)
		top_search(top, 0);
	/* A filtered row, not the system above it. */
	if (filters && *top->filter && top->selected < top->nr_pinned &&
	    top->nr_rows > top->nr_pinned)
		top->selected = top->nr_pinned;
}

static bool scrolls(int key)
{
	return key == KEY_UP || key == KEY_DOWN || key == KEY_PPAGE || key == KEY_NPAGE ||
	       key == KEY_HOME || key == KEY_END || key == 'j' || key == 'k';
}

/* Leaves the menu or the help. Return: false if the view stays, or for a key of another action. */
static bool leave(struct top *top, int key)
{
	if ((top->view != TOP_HELP && top->view != TOP_SORT) || scrolls(key) || key == 'q' ||
	    key == KEY_F(10))
		return false;
	if (top->view == TOP_HELP) {
		top->view = top->before_help;
		return true;
	}
	top->view = TOP_LIST;
	if (key == '\n' || key == KEY_ENTER)
		top_sort_by(top, top->menu, top->ascending);
	return true;
}

static bool act(struct top *top, int key)
{
	for (size_t i = 0; i < NR(actions); i++) {
		for (const struct key *at = actions[i].keys; at->code; at++) {
			if (at->code != key)
				continue;
			actions[i].act(top, at->by);
			return true;
		}
	}
	return false;
}

bool top_key(struct top *top, int key)
{
	if (key == ERR || key == KEY_RESIZE)
		return true;
	top->message = NULL;
	if (top->typed)
		type(top, key);
	else if (!leave(top, key) && !act(top, key))
		top->message = "h: help";
	return !top->quit;
}

/* Return: the name of a key, or NULL for printable ones. */
static const char *name_of(int code)
{
	static const struct {
		int code;
		const char *name;
	} names[] = {
		{ KEY_UP, "up" }, { KEY_DOWN, "down" }, { KEY_PPAGE, "pgup" },
		{ KEY_NPAGE, "pgdn" }, { KEY_HOME, "home" }, { KEY_END, "end" },
		{ KEY_RIGHT, "right" }, { KEY_LEFT, "left" }, { KEY_ENTER, "enter" },
		{ '\n', "enter" }, { KEY_BACKSPACE, "backspace" }, { ESCAPE, "escape" },
		{ ' ', "space" },
	};

	static const char * const functions[] = {
		"F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10"
	};

	for (size_t i = 0; i < NR(names); i++)
		if (names[i].code == code)
			return names[i].name;
	return code >= KEY_F(1) && code <= KEY_F(10) ? functions[code - KEY_F(1)] : NULL;
}

/* "left, escape, h": a key with two codes is listed once. */
static char *names_of(const struct key *keys)
{
	char *names = xstrdup("");

	for (const struct key *at = keys; at->code; at++) {
		const char letter[] = { (char)at->code, '\0' }, *name = name_of(at->code);

		if (!name || at == keys || name_of(at[-1].code) != name)
			append_text(&names, ", ", "%s", name ? name : letter);
	}
	return names;
}

static void add_keys(struct top_lines *lines)
{
	for (size_t i = 0; i < NR(actions); i++) {
		char *names = names_of(actions[i].keys);
		char *lead = format_string("  %s: ", names);

		if (COLS >= WIDE)
			top_add_line(lines, false, format_string("  %-*s%s", KEYS_WIDTH, names,
								 actions[i].help));
		else
			top_add_text(lines, false, lead, "      ", actions[i].help);
		free(lead);
		free(names);
	}
}

static void add_words(struct top_lines *lines)
{
	char *words = xstrdup("Non-numeric values:");
	const char *word;

	for (size_t i = 0; (word = catalog_word(i)); i++)
		append_text(&words, " ", "%s", word);
	top_add_text(lines, false, "  ", "  ", words);
	free(words);
}

void top_draw_help(struct top *top)
{
	struct top_lines lines = { 0 };

	add_keys(&lines);
	top_add_line(&lines, false, xstrdup(""));
	top_add_text(&lines, false, "  ", "  ",
		     "Numbers are estimates, corrected by events always counted (anchors)");
	add_words(&lines);
	top->rows = top_rows() + 1;
	top_draw_lines(&lines, TOP_HEAD_LINES - 1, top->rows, &top->help_first);
	top_free_lines(&lines);
}

/* A column with the first sentence of its description. */
static char *menu_text(const struct top_column *column)
{
	const struct term *term = text_of_term(column->key);
	int metric = catalog_find_metric(column->key);
	const char *means = term ? term->means : metric >= 0 ? text_of_metric(metric)->means : NULL;
	const char *end = means ? strchr(means, '.') : NULL;

	return format_string("  %-20s %.*s", column->key, end ? (int)(end - means) : 0,
			     means ? means : "");
}

void top_draw_menu(struct top *top)
{
	struct top_lines lines = { 0 };
	size_t rows = top_rows();

	for (size_t i = 0; i < top->nr_columns; i++) {
		char *text = menu_text(&top->columns[i]);

		if (i == top->menu)
			*text = '>';
		top_add_line(&lines, i == top->menu, text);
	}
	if (top->menu < top->menu_first)
		top->menu_first = top->menu;
	if (top->menu >= top->menu_first + rows)
		top->menu_first = top->menu - rows + 1;
	attron(A_UNDERLINE);
	top_draw_line(TOP_HEAD_LINES - 1, "%-*s", COLS, "sort by");
	attroff(A_UNDERLINE);
	top_draw_lines(&lines, TOP_HEAD_LINES, rows, &top->menu_first);
	top_free_lines(&lines);
}
