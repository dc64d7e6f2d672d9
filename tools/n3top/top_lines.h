/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat top: lines of text between head and foot, scrolled if there are too many. */
#ifndef N3TOP_TOP_LINES_H
#define N3TOP_TOP_LINES_H

#include <stdbool.h>
#include <stddef.h>

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
