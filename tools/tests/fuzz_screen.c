// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The fuzzer's screens for top: sizes, keys, time. Replaces system calls of top, linked with
 * --wrap.
 */
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "fuzz.h"
#include "lib/memory.h"
#include "n3top/top_screen.h"

#define MAX_LINES	100
#define MAX_COLUMNS	300

static unsigned int keys_left;
static time_t seconds;

/* Mostly small, where space is tightest. */
static int any_size(unsigned int most)
{
	return 1 + fuzz_below(1 + fuzz_below(most));
}

static void set_size(const char *name, unsigned int most)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", any_size(most));
	setenv(name, text, 1);
}

void fuzz_screen_make(void)
{
	static const char * const terms[] = { "vt100", "xterm-256color", "linux", "dumb" };

	/* An error may have left it open. */
	top_screen_close();
	setenv("TERM", fuzz_below(32) ? terms[fuzz_below(NR(terms))] : fuzz_word(), 1);
	set_size("LINES", MAX_LINES);
	set_size("COLUMNS", MAX_COLUMNS);
	keys_left = fuzz_below(12);
	seconds = 0;
}

int __wrap_isatty(int fd);

int __wrap_isatty(int fd)
{
	(void)fd;
	return fuzz_below(32) != 0;
}

/* A clock that advances by a second per call. */
int __wrap_clock_gettime(clockid_t id, struct timespec *time);

int __wrap_clock_gettime(clockid_t id, struct timespec *time)
{
	(void)id;
	*time = (struct timespec) { .tv_sec = seconds++ };
	return 0;
}

int __wrap_wgetch(struct _win_st *window);

int __wrap_wgetch(struct _win_st *window)
{
	static const int keys[] = {
		KEY_UP, 'k', KEY_DOWN, 'j', KEY_PPAGE, KEY_NPAGE, KEY_HOME, KEY_END, KEY_RIGHT,
		KEY_ENTER, '\n', 'l', KEY_LEFT, KEY_BACKSPACE, 27, 'h', 'n', 'N', 's', 'i', '2',
		' ', 'p', '?', '/', '1', '<', '>', 'r', 'a', '+', '-', KEY_F(3), KEY_F(5),
		KEY_RESIZE, KEY_RESIZE, ERR, 'x', 0,
		KEY_MAX, 0x10ffff
	};
	static bool leaves;
	int key = keys[fuzz_below(NR(keys))];

	(void)window;
	/* In a search, q is text. */
	if (!keys_left) {
		leaves = !leaves;
		return leaves ? 27 : 'q';
	}
	keys_left--;
	if (key == KEY_RESIZE)
		resize_term(any_size(MAX_LINES), any_size(MAX_COLUMNS));
	/* Values change meanwhile, and CPUs come and go. */
	if (fuzz_below(8) == 0)
		fuzz_tree_make();
	return key;
}
