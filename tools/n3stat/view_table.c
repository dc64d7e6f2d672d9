// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Table view: a row per place, a column per metric of a group. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "lib/terminal.h"
#include "reader/notices.h"
#include "view.h"

/* Fits all words but the longest, "inconsistent", which widens the column. */
#define MIN_WIDTH	11
#define ERROR_WIDTH	10	/* with the blanks before it */

/* Columns of a group, or all metrics of -m. */
struct table {
	const struct choice *choice;
	const char *title;
	bool first;		/* time of the round */
	size_t column[MAX_LINES];
	size_t width[MAX_LINES];
	size_t nr;
};

static size_t max_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Return: the length of the start of @name, up to a '_', that fits a header line. */
static size_t head_length(const char *name, size_t width)
{
	size_t best = 0, len = strlen(name);

	if (len <= width)
		return len;
	for (size_t i = 0; i < len && (!best || i < width); i++)
		if (name[i] == '_')
			best = i + 1;
	return best ? best : len;
}

static size_t count_heads(const char *name, size_t width)
{
	size_t n = 0;

	for (; *name; name += head_length(name, width))
		n++;
	return n;
}

static const struct column *column_of(const struct table *table, size_t i)
{
	return &table->choice->columns[table->column[i]];
}

/* Including the blanks before it, or the mark. */
static size_t full_width(const struct view *view, size_t width)
{
	return 2 + width + (view->errors ? ERROR_WIDTH : 0);
}

static int places_width(const struct view *view)
{
	return view_places_width(view, *view_places_title(view->choice) ? 4 : 8);
}

static size_t lead_width(const struct view *view)
{
	/* Marks replace column separators; the last one needs a column of its own. */
	return (size_t)(view_times_width(view) + places_width(view)) + !!view->interval;
}

/* Return: whether a header with every name in one line is too wide. */
static bool must_fold(const struct table *table, const struct view *view)
{
	size_t width = lead_width(view);

	for (size_t i = 0; i < table->nr; i++)
		width += full_width(view, max_size(strlen(column_of(table, i)->name),
						   MIN_WIDTH));
	return width > screen_width(SIZE_MAX);
}

static void set_widths(struct table *table, size_t fold)
{
	const char *head;
	size_t len;

	for (size_t i = 0; i < table->nr; i++) {
		table->width[i] = MIN_WIDTH;
		for (head = column_of(table, i)->name; *head; head += len) {
			len = head_length(head, fold);
			table->width[i] = max_size(table->width[i], len);
		}
	}
}

/* "±" has two bytes and the width of one. */
static void print_error_head(const char *head)
{
	printf("%*s%s", ERROR_WIDTH - (strcmp(head, "+-") ? *head != '\0' : 2), "", head);
}

static void print_name_line(const struct table *table, const struct view *view, size_t fold,
			    size_t line, size_t lines)
{
	const char *head;
	size_t skip;

	view_print_head(view, places_width(view),
			line == lines - 1 ? view_places_title(table->choice) : "");
	for (size_t i = 0; i < table->nr; i++) {
		head = column_of(table, i)->name;
		/* Short names are in the lowest lines. */
		skip = lines - count_heads(head, fold);
		for (size_t k = skip; k < line; k++)
			head += head_length(head, fold);
		printf("  %*.*s", (int)table->width[i],
		       line < skip ? 0 : (int)head_length(head, fold), head);
		if (view->errors)
			print_error_head(line == lines - 1 ? plus_minus() : "");
	}
	putchar('\n');
}

/* Return: the number of lines printed. */
static size_t print_header(const struct table *table, const struct view *view, size_t fold)
{
	size_t lines = 1, above = 0;

	if (table->first)
		above = print_simulated(stdout);
	if (table->title)
		printf("%s\n", table->title);
	for (size_t i = 0; i < table->nr; i++)
		lines = max_size(lines, count_heads(column_of(table, i)->name, fold));
	for (size_t line = 0; line < lines; line++)
		print_name_line(table, view, fold, line, lines);
	view_print_head(view, places_width(view), "");
	for (size_t i = 0; i < table->nr; i++) {
		printf("  %*s", (int)table->width[i], column_of(table, i)->short_unit);
		if (view->errors && i + 1 < table->nr)
			print_error_head("");
	}
	putchar('\n');
	return above + lines + 1 + (table->title ? 1 : 0);
}

/* Prints the mark and the blanks of the cell before, and the cell without those after it. */
static int print_cell(const struct cell *cell, int pad, char mark, int width, const char *colour)
{
	printf("%c%*s %s%*s%s", mark, pad, "", colour, width - cell->pad, cell->text,
	       view_colour_end(colour));
	return cell->pad;
}

static void print_row(const struct table *table, const struct view *view, size_t place)
{
	const struct value *value;
	char mark = MARK_NONE;
	struct cell cell;
	int pad = 0;

	view_print_place(view, places_width(view), place);
	for (size_t i = 0; i < table->nr; i++) {
		value = view->get(view->snapshot, view->choice, place, table->column[i]);
		view_cell(&cell, value, -1);
		pad = print_cell(&cell, pad, mark, (int)table->width[i],
				 view_colour(view, place, table->column[i], false));
		mark = view_mark(view, place, table->column[i]);
		if (!view->errors)
			continue;
		view_error(&cell, value);
		pad = print_cell(&cell, pad, mark, ERROR_WIDTH - 2, "");
		mark = MARK_NONE;
	}
	if (mark != MARK_NONE)
		putchar(mark);
	putchar('\n');
}

static size_t print_rows(const struct table *table, const struct view *view)
{
	for (size_t i = 0; i < view->choice->places.nr; i++)
		print_row(table, view, view->order[i]);
	return view->choice->places.nr;
}

/* Return: how many columns from the first on fit the screen, at least one. */
static size_t nr_that_fit(const struct table *table, const struct view *view)
{
	size_t width = lead_width(view), nr = 0;

	while (nr < table->nr) {
		width += full_width(view, table->width[nr]);
		if (nr && width > screen_width(SIZE_MAX))
			break;
		nr++;
	}
	return nr;
}

/* Splits off the first columns; the others stay in the table. */
static struct table split_off(struct table *table, size_t nr)
{
	struct table part = *table;

	part.nr = nr;
	table->nr -= nr;
	table->title = NULL;
	table->first = false;
	memmove(table->column, table->column + nr, table->nr * sizeof(*table->column));
	memmove(table->width, table->width + nr, table->nr * sizeof(*table->width));
	return part;
}

static void print_table(struct table *table, struct view *view)
{
	size_t fold = must_fold(table, view) ? MIN_WIDTH : SIZE_MAX, nr;
	struct table part;
	bool cut;

	set_widths(table, fold);
	nr = nr_that_fit(table, view);
	cut = nr < table->nr;
	do {
		part = split_off(table, nr);
		if (cut || part.title || view_header_is_due(view))
			view->lines_since = print_header(&part, view, fold);
		view->lines_since += print_rows(&part, view);
		if (table->nr)
			putchar('\n');
		nr = nr_that_fit(table, view);
	} while (table->nr);
}

/* Return: whether the table has a column. */
static bool fill_table(struct table *table, const struct choice *choice, size_t file, bool whole)
{
	table->choice = choice;
	table->title = NULL;
	table->nr = 0;
	for (size_t i = 0; i < choice->nr_columns && table->nr < MAX_LINES; i++) {
		size_t own = choice->columns[i].file;

		if (whole ? own == file : !choice->files[own].whole)
			table->column[table->nr++] = i;
	}
	return table->nr > 0;
}

void view_table(struct view *view)
{
	const struct choice *choice = view->choice;
	size_t nr_tables = 0, nr = 0;
	struct table table;

	for (size_t i = 0; i < choice->nr_files; i++)
		nr_tables += choice->files[i].whole;
	nr_tables += fill_table(&table, choice, 0, false);
	for (size_t i = 0; i <= choice->nr_files; i++) {
		bool last = i == choice->nr_files;

		if (!last && !choice->files[i].whole)
			continue;
		if (!fill_table(&table, choice, i, !last))
			continue;
		if (nr_tables > 1)
			table.title = last ? "Metrics" : choice->files[i].title;
		table.first = nr == 0;
		if (nr_tables == 1)
			view_print_gap(view);
		else if (!view->first || nr)
			putchar('\n');
		print_table(&table, view);
		nr++;
	}
	view_print_disabled(view);
}
