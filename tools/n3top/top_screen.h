/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat top: the screen. Works in 80x24, without colours, over slow lines. */
#ifndef N3TOP_TOP_SCREEN_H
#define N3TOP_TOP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/errors.h"

#define TOP_HEAD_LINES	3	/* title, legend, column headers */
#define TOP_FOOT_LINES	1

#define TOP_NR_BARS	4	/* parts of the bar, each with its colour */

void top_screen_open(void);
void top_screen_close(void);
/* Return: a key, or ERR on timeout. */
int top_screen_key(void);
/* Lines between head and foot. */
size_t top_rows(void);
/* Attribute of a part of the bar, 0 without colours. */
int top_bar_attribute(size_t bar);
/* A full line, padded or cut to the width of the screen. */
void __printf(2, 3) top_draw_line(int y, const char *format, ...);

/* Lines of text between head and foot, scrolled if there are too many. */
struct top_lines {
	struct top_line {
		char *text;
		bool bold;
	} *v;
	size_t nr;
};

/* Takes the text. */
void top_add_line(struct top_lines *lines, bool bold, char *text);
/* Wrapped to the width of the screen. */
void top_add_text(struct top_lines *lines, bool bold, const char *lead, const char *indent,
		  const char *text);
/* Draws from line @y of the screen on; @first is limited to the last screen of lines. */
void top_draw_lines(const struct top_lines *lines, int y, size_t rows, size_t *first);
void top_free_lines(struct top_lines *lines);

#endif
