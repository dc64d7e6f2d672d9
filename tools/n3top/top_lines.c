// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat top: lines of text between head and foot, scrolled if there are too many. */
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/errors.h"
#include "lib/memory.h"
#include "lib/text.h"
#include "top_lines.h"
#include "top_screen.h"

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
