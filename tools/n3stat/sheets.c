// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Tables: a row for each place, a column for each metric of a group. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common.h"
#include "views.h"

/* The longest word in place of a value, "implausible", fits a column. */
#define MIN_WIDTH	11

/* Columns side by side: those of one group, or all that were named by -m. */
struct sheet {
	const struct choice *choice;
	const char *title;
	size_t column[MAX_LINES];
	size_t width[MAX_LINES];
	size_t nr;
};

const char *view_places_title(const struct choice *choice)
{
	static const char * const titles[] = {
		[SCOPE_CPU] = "cpu",
		[SCOPE_NODE] = "node",
		[SCOPE_SYSTEM] = "",
	};
	enum scope scope = choice->places.v[0].scope;

	for (size_t i = 1; i < choice->places.nr; i++)
		if (choice->places.v[i].scope != scope)
			return "";
	return titles[scope];
}

int view_places_width(const struct choice *choice)
{
	return *view_places_title(choice) ? 4 : 8;
}

/* The number alone where all are of a kind. */
const char *view_place_label(const struct choice *choice, size_t place)
{
	static char label[24];

	if (!*view_places_title(choice))
		return choice->places.v[place].name;
	snprintf(label, sizeof(label), "%u", choice->places.v[place].id);
	return label;
}

/*
 * The header of a lone table stays above its rows, so it comes again only
 * when it has left the screen; into a file or a pipe it goes once.
 */
bool view_header_is_due(const struct view *view, size_t lines_since)
{
	size_t height = screen_height(SIZE_MAX);

	if (!lines_since || screen_has_changed())
		return true;
	return height != SIZE_MAX && lines_since + view->choice->places.nr >= height;
}

static size_t max_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Return: the length of the head of name, cut behind a '_', as a header line. */
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

static const struct column *column_of(const struct sheet *sheet, size_t i)
{
	return &sheet->choice->columns[sheet->column[i]];
}

/* Return: whether a header with every name in one line is too wide. */
static bool must_fold(const struct sheet *sheet)
{
	size_t width = view_places_width(sheet->choice);

	for (size_t i = 0; i < sheet->nr; i++)
		width += 2 + max_size(strlen(column_of(sheet, i)->name), MIN_WIDTH);
	return width > screen_width(SIZE_MAX);
}

static void set_widths(struct sheet *sheet, const struct view *view, size_t fold)
{
	const char *head;
	size_t len;

	for (size_t i = 0; i < sheet->nr; i++) {
		sheet->width[i] = MIN_WIDTH;
		for (head = column_of(sheet, i)->name; *head; head += len) {
			len = head_length(head, fold);
			sheet->width[i] = max_size(sheet->width[i], len);
		}
	}
	(void)view;
}

static void print_name_line(const struct sheet *sheet, size_t fold, size_t line, size_t lines)
{
	const char *head;
	size_t skip;

	printf("%*s", view_places_width(sheet->choice),
	       line == lines - 1 ? view_places_title(sheet->choice) : "");
	for (size_t i = 0; i < sheet->nr; i++) {
		head = column_of(sheet, i)->name;
		/* Short names stand in the lowest lines. */
		skip = lines - count_heads(head, fold);
		for (size_t k = skip; k < line; k++)
			head += head_length(head, fold);
		printf("  %*.*s", (int)sheet->width[i],
		       line < skip ? 0 : (int)head_length(head, fold), head);
	}
	putchar('\n');
}

/* Return: the number of lines printed. */
static size_t print_header(const struct sheet *sheet, size_t fold)
{
	size_t lines = 1;

	if (sheet->title)
		printf("%s\n", sheet->title);
	for (size_t i = 0; i < sheet->nr; i++)
		lines = max_size(lines, count_heads(column_of(sheet, i)->name, fold));
	for (size_t line = 0; line < lines; line++)
		print_name_line(sheet, fold, line, lines);
	printf("%*s", view_places_width(sheet->choice), "");
	for (size_t i = 0; i < sheet->nr; i++)
		printf("  %*s", (int)sheet->width[i], column_of(sheet, i)->short_unit);
	putchar('\n');
	return lines + 1 + (sheet->title ? 1 : 0);
}

static void print_row(const struct sheet *sheet, const struct view *view, size_t place)
{
	const struct value *value;

	printf("%*s", view_places_width(view->choice), view_place_label(view->choice, place));
	for (size_t i = 0; i < sheet->nr; i++) {
		value = snapshot_at(view->snapshot, view->choice, place, sheet->column[i]);
		printf("  %*s", (int)sheet->width[i], value->text);
	}
	putchar('\n');
}

/* Return: the lines printed since the last header, its own included. */
static size_t print_sheet(struct sheet *sheet, const struct view *view, size_t lines_since)
{
	size_t fold = must_fold(sheet) ? MIN_WIDTH : SIZE_MAX;

	set_widths(sheet, view, fold);
	if (sheet->title || view_header_is_due(view, lines_since))
		lines_since = print_header(sheet, fold);
	for (size_t i = 0; i < view->choice->places.nr; i++)
		print_row(sheet, view, view->order[i]);
	return lines_since + view->choice->places.nr;
}

/* Return: whether there is a column that belongs there. */
static bool fill_sheet(struct sheet *sheet, const struct choice *choice, size_t file, bool whole)
{
	sheet->choice = choice;
	sheet->title = NULL;
	sheet->nr = 0;
	for (size_t i = 0; i < choice->nr_columns && sheet->nr < MAX_LINES; i++) {
		size_t of = choice->columns[i].file;

		if (whole ? of == file : !choice->files[of].whole)
			sheet->column[sheet->nr++] = i;
	}
	return sheet->nr > 0;
}

void view_tables(const struct view *view)
{
	static size_t lines_since;
	const struct choice *choice = view->choice;
	size_t nr_sheets = 0, nr = 0;
	struct sheet sheet;

	for (size_t i = 0; i < choice->nr_files; i++)
		nr_sheets += choice->files[i].whole;
	nr_sheets += fill_sheet(&sheet, choice, 0, false);
	for (size_t i = 0; i <= choice->nr_files; i++) {
		bool last = i == choice->nr_files;

		if (!last && !choice->files[i].whole)
			continue;
		if (!fill_sheet(&sheet, choice, i, !last))
			continue;
		if (nr_sheets > 1)
			sheet.title = last ? "Metrics" : choice->files[i].title;
		if (nr_sheets > 1 && !(view->first && nr == 0))
			putchar('\n');
		lines_since = print_sheet(&sheet, view, lines_since);
		nr++;
	}
}
