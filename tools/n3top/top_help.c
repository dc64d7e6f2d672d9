// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat top: the help. */
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "top.h"
#include "top_lines.h"

#define KEYS_WIDTH	28
#define WIDE		70	/* columns of a screen with keys and actions side by side */

static void add_keys(struct top_lines *lines)
{
	const char *does;
	char *names, *lead;

	for (size_t i = 0; (does = top_keys_help(i, &names)); i++) {
		if (COLS >= WIDE) {
			top_add_line(lines, false,
				     format_string("  %-*s%s", KEYS_WIDTH, names, does));
		} else {
			lead = format_string("  %s: ", names);
			top_add_text(lines, false, lead, "      ", does);
			free(lead);
		}
		free(names);
	}
}

static void add_words(struct top_lines *lines)
{
	char *words = xstrdup("Non-numeric values:"), *longer;
	const char *word;

	for (size_t i = 0; (word = catalog_word(i)); i++) {
		longer = format_string("%s %s", words, word);
		free(words);
		words = longer;
	}
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
