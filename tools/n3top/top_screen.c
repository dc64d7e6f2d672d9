// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat top: the screen. Works in 80x24, without colours, over slow lines. */
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/errors.h"
#include "lib/memory.h"
#include "lib/terminal.h"
#include "lib/text.h"
#include "top_screen.h"

enum { PAIR_FRONTEND = 1, PAIR_BACKEND, PAIR_BAD_SPECULATION, PAIR_RETIRING };

/* ncurses' stdscr is NULL without a screen. */
static void leave_screen(void)
{
	if (stdscr && !isendwin())
		endwin();
}

/* Errors would be unreadable on a full screen. */
static void clean_up(void *context)
{
	(void)context;
	leave_screen();
}

void top_screen_open(void)
{
	const char *term = getenv("TERM");
	static const short colours[TOP_NR_BARS] = {
		COLOR_YELLOW, COLOR_BLUE, COLOR_MAGENTA, COLOR_GREEN
	};

	setlocale(LC_CTYPE, "");
	if (!newterm(NULL, stdout, stdin))
		die(ERR_UNSUITABLE_TERMINAL,
		    "terminal '%s' is not known; install ncurses-base or set "
			"TERM=vt100",
		    term ? term : "");
	before_dying(clean_up, NULL);
	if (!tigetstr("cup"))
		die(ERR_UNSUITABLE_TERMINAL,
		    "terminal '%s' has no full screen; try: n3stat --per cpu 1",
		    term ? term : "");
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

void top_screen_close(void)
{
	leave_screen();
	delscreen(set_term(NULL));
}

int top_screen_key(void)
{
	struct pollfd terminal = { .fd = STDIN_FILENO };
	int key = getch();

	/* With SIGHUP ignored, only this detects a lost terminal: getch() returns at once. */
	if (key == ERR && poll(&terminal, 1, 0) > 0 && terminal.revents & POLLHUP)
		die(ERR_TERMINAL_GONE, "the terminal has disconnected");
	return key;
}

size_t top_rows(void)
{
	int rows = getmaxy(stdscr) - TOP_HEAD_LINES - TOP_FOOT_LINES;

	return rows > 0 ? (size_t)rows : 1;
}

int top_bar_attribute(size_t bar)
{
	return has_colors() && COLOR_PAIRS > PAIR_RETIRING ? COLOR_PAIR(PAIR_FRONTEND + bar) : 0;
}

void top_draw_line(int y, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = format_args(format, args);
	va_end(args);
	/* Move first: a full line leaves the cursor in the next one. */
	move(y, 0);
	clrtoeol();
	addnstr(text, COLS);
	free(text);
}

void top_add_line(struct top_lines *lines, bool bold, char *text)
{
	lines->v = xreallocarray(lines->v, lines->nr + 1, sizeof(*lines->v));
	lines->v[lines->nr++] = (struct top_line) { text, bold };
}

void top_add_text(struct top_lines *lines, bool bold, const char *lead, const char *indent,
		  const char *text)
{
	char *folded, *rest;
	size_t size;
	FILE *out = open_memstream(&folded, &size);

	if (!out)
		out_of_memory();
	print_folded(out, lead, indent, text, COLS > 0 ? (size_t)COLS : 80);
	if (fclose(out))
		out_of_memory();
	for (char *line = strtok_r(folded, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		top_add_line(lines, bold, xstrdup(line));
	free(folded);
}

void top_draw_lines(const struct top_lines *lines, int y, size_t rows, size_t *first)
{
	if (*first + rows > lines->nr)
		*first = lines->nr > rows ? lines->nr - rows : 0;
	for (size_t i = 0; i < rows; i++) {
		size_t at = *first + i;

		if (at < lines->nr && lines->v[at].bold)
			attron(A_BOLD);
		top_draw_line(y + (int)i, "%s", at < lines->nr ? lines->v[at].text : "");
		attroff(A_BOLD);
	}
}

void top_free_lines(struct top_lines *lines)
{
	for (size_t i = 0; i < lines->nr; i++)
		free(lines->v[i].text);
	free(lines->v);
}
