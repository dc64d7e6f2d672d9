// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat top: keys, their actions and the help. */
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "top.h"

#define ESCAPE	27
#define DELETE	127
#define END	1000000	/* lines, more than any list has */
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

static void move_lines(struct top *top, int by)
{
	if (top->view == TOP_TREE)
		scroll_lines(&top->tree_first, by);
	else if (top->view == TOP_HELP)
		scroll_lines(&top->help_first, by);
	else
		move_selection(top, by);
}

static void move_pages(struct top *top, int by)
{
	move_lines(top, by * (int)top->rows);
}

static void move_to_end(struct top *top, int by)
{
	move_lines(top, by * END);
}

static void show(struct top *top, int view)
{
	if (view == TOP_HELP) {
		top->before_help = top->view;
		top->help_first = 0;
	}
	if (view == TOP_LIST && top->view == TOP_LIST)
		top->search[0] = '\0';
	if (view != TOP_TREE || top->nr_rows)
		top->view = (enum top_view)view;
}

static void start_search(struct top *top, int by)
{
	(void)by;
	top->view = TOP_LIST;
	top->searching = true;
	top->search[0] = '\0';
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
	struct key keys[5];
} actions[] = {
	{ move_lines, "select a place, or scroll its tree",
	  { { KEY_UP, -1 }, { KEY_DOWN, 1 }, { 'k', -1 }, { 'j', 1 } } },
	{ move_pages, "the same by one screen", { { KEY_PPAGE, -1 }, { KEY_NPAGE, 1 } } },
	{ move_to_end, "go to the first or the last", { { KEY_HOME, -1 }, { KEY_END, 1 } } },
	{ show, "its decision tree",
	  { { KEY_RIGHT, TOP_TREE }, { KEY_ENTER, TOP_TREE }, { '\n', TOP_TREE },
	    { 'l', TOP_TREE } } },
	{ show, "back to the list",
	  { { KEY_LEFT, TOP_LIST }, { KEY_BACKSPACE, TOP_LIST }, { ESCAPE, TOP_LIST } } },
	{ start_search, "search for a place or an answer", { { '/', 0 } } },
	{ move_on, "tree of the next place, or next found", { { 'n', 1 }, { 'N', -1 } } },
	{ fold, "show the whole tree, or fold it (+) to fit", { { 'a', 0 } } },
	{ change_sort, "sort by the next or previous column",
	  { { 's', 1 }, { 'S', -1 }, { '>', 1 }, { '<', -1 } } },
	{ reverse_sort, "reverse the order of a column", { { 'r', 0 } } },
	{ pause_reading, "pause or continue", { { 'p', 0 }, { ' ', 0 } } },
	{ show, "this help; most keys return",
	  { { 'h', TOP_HELP }, { '?', TOP_HELP } } },
	{ quit, "quit", { { 'q', 0 } } },
};

/* A key while the text is typed. */
static void type(struct top *top, int key)
{
	size_t length = strlen(top->search);

	if (key == '\n' || key == KEY_ENTER || key == ESCAPE)
		top->searching = false;
	else if ((key == KEY_BACKSPACE || key == DELETE || key == '\b') && length)
		top->search[length - 1] = '\0';
	else if (key > ' ' && key < DELETE && length + 1 < sizeof(top->search))
		strcpy(&top->search[length], (const char[]) { (char)key, '\0' });
	if (*top->search)
		top_search(top, 0);
}

static bool scrolls(int key)
{
	return key == KEY_UP || key == KEY_DOWN || key == KEY_PPAGE || key == KEY_NPAGE ||
	       key == KEY_HOME || key == KEY_END || key == 'j' || key == 'k';
}

bool top_key(struct top *top, int key)
{
	if (key == ERR || key == KEY_RESIZE)
		return true;
	top->not_found = false;
	if (top->searching) {
		type(top, key);
		return true;
	}
	if (top->view == TOP_HELP && key != 'q' && !scrolls(key)) {
		top->view = top->before_help;
		return true;
	}
	for (size_t i = 0; i < NR(actions); i++)
		for (const struct key *at = actions[i].keys; at->code; at++)
			if (at->code == key)
				actions[i].act(top, at->by);
	return !top->quit;
}

/* Return: the name of a key, or NULL for printable ones. */
static const char *name_of(int code)
{
	static const struct {
		int code;
		const char *name;
	} names[] = {
		{ KEY_UP, "up" }, { KEY_DOWN, "down" }, { KEY_PPAGE, "page up" },
		{ KEY_NPAGE, "page down" }, { KEY_HOME, "home" }, { KEY_END, "end" },
		{ KEY_RIGHT, "right" }, { KEY_LEFT, "left" }, { KEY_ENTER, "enter" },
		{ '\n', "enter" }, { KEY_BACKSPACE, "backspace" }, { ESCAPE, "escape" },
		{ ' ', "space" },
	};

	for (size_t i = 0; i < NR(names); i++)
		if (names[i].code == code)
			return names[i].name;
	return NULL;
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

static void add_columns(struct top_lines *lines, const struct top *top)
{
	char *names = top_column_names(top, "Columns, the last ones only on a wide screen");

	top_add_text(lines, false, "  ", "  ", names);
	free(names);
}

void top_draw_help(struct top *top)
{
	struct top_lines lines = { 0 };

	add_keys(&lines);
	top_add_line(&lines, false, xstrdup(""));
	add_columns(&lines, top);
	top_add_text(&lines, false, "  ", "  ",
		     "Numbers are estimates, corrected by events always counted (anchors)");
	add_words(&lines);
	top->rows = top_rows() + 1;
	top_draw_lines(&lines, TOP_HEAD_LINES - 1, top->rows, &top->help_first);
	top_free_lines(&lines);
}
