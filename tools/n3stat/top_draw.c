// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat top: drawing. It works in 80x24, without colours, over slow lines. */
#include <locale.h>
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "tables.h"
#include "texts.h"
#include "top.h"
#include "walk.h"

#define HEAD_LINES	3	/* title, legend, header of the columns */
#define FOOT_LINES	1
#define LABEL_WIDTH	8
#define NUMBER_WIDTH	6
#define NUMBERS_WIDTH	((TOP_NR_BARS + 1) * (NUMBER_WIDTH + 1))
#define MIN_BAR		10
#define TREE_LINES	40

enum { PAIR_FRONTEND = 1, PAIR_BACKEND, PAIR_BAD_SPECULATION, PAIR_RETIRING };

static const char * const titles[TOP_NR_BARS] = {
	"frontend bound", "backend bound", "bad speculation", "retiring"
};

static SCREEN *screen;

/* Errors on a full screen could not be read. */
static void leave_screen(void)
{
	if (screen && !isendwin())
		endwin();
}

void top_draw_begin(void)
{
	const char *term = getenv("TERM");
	static const short colours[TOP_NR_BARS] = {
		COLOR_YELLOW, COLOR_BLUE, COLOR_MAGENTA, COLOR_GREEN
	};

	setlocale(LC_CTYPE, "");
	screen = newterm(NULL, stdout, stdin);
	if (!screen)
		die(EXIT_OTHER, "terminal '%s' is not known; install ncurses-base or set "
			"TERM=vt100",
		    term ? term : "");
	before_dying = leave_screen;
	atexit(leave_screen);
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	set_escdelay(50);
	curs_set(0);
	if (!use_colour(stdout) || !has_colors())
		return;
	start_color();
	use_default_colors();
	for (short i = 0; i < TOP_NR_BARS; i++)
		init_pair(PAIR_FRONTEND + i, COLOR_BLACK, colours[i]);
}

void top_draw_end(void)
{
	leave_screen();
	delscreen(screen);
	screen = NULL;
}

size_t top_rows(void)
{
	int lines = getmaxy(stdscr);

	return lines > HEAD_LINES + FOOT_LINES ? lines - HEAD_LINES - FOOT_LINES : 1;
}

static int bar_attribute(size_t bar)
{
	return has_colors() && COLOR_PAIRS > PAIR_RETIRING ? COLOR_PAIR(PAIR_FRONTEND + bar) : 0;
}

/* A line that begins at the left edge and ends at the right one. */
static void __printf(2, 3) draw_line(int y, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = format_args(format, args);
	va_end(args);
	mvaddnstr(y, 0, text, COLS);
	clrtoeol();
	free(text);
}

static void draw_head(const struct top *top)
{
	size_t nr = top->choice.places.nr;

	attron(A_BOLD);
	draw_line(0, "n3stat top  %zu places, every %g s, by %s%s", nr, top->interval,
		  top_sort_name(top->sort), top->paused ? "  PAUSED" : "");
	attroff(A_BOLD);
	move(1, 0);
	for (size_t i = 0; i < TOP_NR_BARS; i++) {
		attron(bar_attribute(i));
		addch(top_letters[i]);
		attroff(bar_attribute(i));
		printw(" %s   ", titles[i]);
	}
	clrtoeol();
}

static void draw_foot(const struct top *top)
{
	attron(A_REVERSE);
	draw_line(LINES - 1, "%s", top->view == TOP_TREE ?
		  "left: back  up/down: scroll  n/N: next/previous  p: pause  ?: help  q: quit" :
		  "up/down: select  right: tree  s: sort  p: pause  ?: help  q: quit");
	attroff(A_REVERSE);
}

static int bar_width(void)
{
	int left = COLS - LABEL_WIDTH - NUMBERS_WIDTH - 3;

	return left < MIN_BAR ? MIN_BAR : left > 100 ? 100 : left;
}

static const struct value *value_at(const struct top *top, size_t place, const char *metric)
{
	return snapshot_metric(&top->snapshot, &top->choice, place, tables_find_metric(metric));
}

/* One letter for each share of the slots; it can be read without colours. */
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
		attron(bar_attribute(i));
		for (; x < end; x++)
			addch(top_letters[i]);
		attroff(bar_attribute(i));
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

/* Words are longer than the columns: one of them stands for the row. */
static void draw_row(const struct top *top, int y, size_t at)
{
	size_t place = top->order[at];
	const struct value *first = value_at(top, place, top_bars[0]);

	move(y, 0);
	if (at == top->selected)
		attron(A_REVERSE);
	printw("%-*s", LABEL_WIDTH, top->choice.places.v[place].name);
	if (at == top->selected)
		attroff(A_REVERSE);
	draw_bar(top, place, bar_width());
	if (!first->is_number) {
		printw(" %s", first->text);
	} else {
		for (size_t i = 0; i < TOP_NR_BARS; i++)
			draw_number(value_at(top, place, top_bars[i]), 1);
		draw_number(value_at(top, place, "ipc"), 2);
	}
	clrtoeol();
}

static void draw_list(struct top *top)
{
	size_t rows = top_rows();
	int width = bar_width();

	if (top->selected < top->first)
		top->first = top->selected;
	if (top->selected >= top->first + rows)
		top->first = top->selected - rows + 1;
	attron(A_UNDERLINE);
	draw_line(2, "%-*s|%-*s| %*s %*s %*s %*s %*s", LABEL_WIDTH, "place", width,
		  "% of slots", NUMBER_WIDTH, "front%", NUMBER_WIDTH, "back%", NUMBER_WIDTH,
		  "bad%", NUMBER_WIDTH, "retir%", NUMBER_WIDTH, "ipc");
	attroff(A_UNDERLINE);
	for (size_t i = 0; i < rows; i++) {
		if (top->first + i < top->choice.places.nr)
			draw_row(top, HEAD_LINES + (int)i, top->first + i);
		else
			draw_line(HEAD_LINES + (int)i, "%s", "");
	}
}

/* The tree as lines of text, so that it can be scrolled. */
struct lines {
	char *v[TREE_LINES];
	bool bold[TREE_LINES];
	size_t nr;
};

static void add_line(struct lines *lines, bool bold, char *text)
{
	if (lines->nr == TREE_LINES) {
		free(text);
		return;
	}
	lines->bold[lines->nr] = bold;
	lines->v[lines->nr++] = text;
}

static void add_node(struct lines *lines, const struct top *top, size_t place, int metric,
		     unsigned int depth, const struct walk *walk)
{
	const struct value *value = snapshot_metric(&top->snapshot, &top->choice, place, metric);
	bool marked = walk_holds(walk, metric);
	char number[VALUE_TEXT], error[24] = "", bar[21] = "";

	snprintf(number, sizeof(number), "%s", value->text);
	if (value->is_number) {
		double v = value->number < 0 ? 0 : value->number > 100 ? 100 : value->number;

		snprintf(number, sizeof(number), "%.1f%%", value->number);
		memset(bar, '#', (size_t)(v / 5 + 0.5));
	}
	if (value->has_range)
		snprintf(error, sizeof(error), "+-%.1f", value_error(value));
	add_line(lines, marked, format_string("%c %*s%-*s %11s %7s |%-20s|", marked ? '>' : ' ',
					      2 * depth, "", 32 - 2 * (int)depth,
					      tables_metric_name(metric), number, error, bar));
}

static void add_below(struct lines *lines, const struct top *top, size_t place, int metric,
		      unsigned int depth, const struct walk *walk)
{
	int below[16];
	size_t nr = walk_below(metric, below, NR(below));

	for (size_t i = 0; i < nr && depth < WALK_DEPTH; i++) {
		add_node(lines, top, place, below[i], depth, walk);
		add_below(lines, top, place, below[i], depth + 1, walk);
	}
}

/* A text in as many lines as it takes. */
static void add_text(struct lines *lines, bool bold, const char *lead, const char *text)
{
	char *folded, *rest;
	size_t size;
	FILE *out = open_memstream(&folded, &size);

	if (!out)
		die(EXIT_OTHER, "out of memory");
	print_folded(out, lead, "         ", text, COLS > 0 ? (size_t)COLS : 80);
	if (fclose(out))
		die(EXIT_OTHER, "out of memory");
	for (char *line = strtok_r(folded, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		add_line(lines, bold, copy_string(line));
	free(folded);
}

static void add_end(struct lines *lines, const struct walk *walk)
{
	const struct advice *advice = NULL;

	add_line(lines, false, copy_string(""));
	if (walk->nr)
		advice = advice_for(tables_metric_name(walk->path[walk->nr - 1]));
	if (advice) {
		add_text(lines, true, "means:   ", advice->means);
		add_text(lines, false, "look at: ", advice->look);
	}
	if (walk->undecided[0] >= 0)
		add_line(lines, false, format_string("undetermined: %s or %s",
						     tables_metric_name(walk->undecided[0]),
						     tables_metric_name(walk->undecided[1])));
	if (walk->too_few_slices)
		add_text(lines, false, "", TOO_FEW_SLICES);
	if (walk->word)
		add_line(lines, false, format_string("no further: %s", walk->word));
}

static void draw_tree(struct top *top)
{
	size_t place = top->order[top->selected];
	size_t rows = top_rows();
	struct lines lines = { .nr = 0 };
	struct walk walk;

	walk_snapshot(&walk, &top->snapshot, &top->choice, place);
	add_below(&lines, top, place, -1, 0, &walk);
	add_end(&lines, &walk);
	if (top->tree_first + rows > lines.nr)
		top->tree_first = lines.nr > rows ? lines.nr - rows : 0;
	attron(A_UNDERLINE);
	draw_line(2, "%-*s", COLS, top->choice.places.v[place].name);
	attroff(A_UNDERLINE);
	for (size_t i = 0; i < rows; i++) {
		size_t at = top->tree_first + i;

		if (at < lines.nr && lines.bold[at])
			attron(A_BOLD);
		draw_line(HEAD_LINES + (int)i, "%s", at < lines.nr ? lines.v[at] : "");
		attroff(A_BOLD);
	}
	for (size_t i = 0; i < lines.nr; i++)
		free(lines.v[i]);
}

static void draw_help(void)
{
	static const char * const help[] = {
		"",
		"  up, down, page up, page down, home, end   select a place, scroll its tree",
		"  right, enter      its decision tree; the way to the bottleneck is marked >",
		"  left, escape      back to the list",
		"  n, N              the next, the previous place's tree",
		"  s, S              sort by the next, the previous column",
		"  p, space          pause and go on",
		"  ?                 this help; any key leaves it",
		"  q                 quit",
		"",
		"  A word in place of numbers says why there are none:",
		"  offline disabled unplaced contended idle stale implausible undef",
	};

	for (int y = 2; y < LINES - FOOT_LINES; y++)
		draw_line(y, "%s", y - 2 < (int)NR(help) ? help[y - 2] : "");
}

void top_draw(struct top *top)
{
	draw_head(top);
	switch (top->view) {
	case TOP_LIST:
		draw_list(top);
		break;
	case TOP_TREE:
		draw_tree(top);
		break;
	case TOP_HELP:
		draw_help();
		break;
	}
	draw_foot(top);
	refresh();
}
