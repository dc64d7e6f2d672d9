// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Tables of a report, as text and JSON: arrays of objects; facts are one object. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"
#include "lib/memory.h"
#include "lib/plain.h"
#include "sheet.h"

#define DECIMALS	2
#define WIDTH_MAX	64	/* of all columns but the last one */
#define CELL_MAX	64	/* of a number */
#define NOTE_WIDTH	79	/* without the closing bracket */

static const struct spe_column fact_columns[] = {
	{ "key", "" }, { "name", "" }, { "value", "" }
};

void spe_sheets_init(struct spe_sheets *sheets)
{
	sheets->first = NULL;
	sheets->end = &sheets->first;
}

void spe_sheets_free(struct spe_sheets *sheets)
{
	struct spe_sheet *sheet = sheets->first, *next;

	for (; sheet; sheet = next) {
		next = sheet->next;
		for (size_t i = 0; i < sheet->nr_cells; i++)
			if (sheet->cells[i].kind == SPE_CELL_TEXT)
				free(sheet->cells[i].text);
		free(sheet->cells);
		free(sheet->note);
		free(sheet);
	}
}

struct spe_sheet *spe_sheet_new(struct spe_sheets *sheets, const char *key, const char *title,
				const struct spe_column *columns, size_t nr)
{
	struct spe_sheet *sheet = xcalloc(1, sizeof(*sheet));

	*sheet = (struct spe_sheet) {
		.key = key, .title = title, .columns = columns, .nr_columns = nr
	};
	*sheets->end = sheet;
	sheets->end = &sheet->next;
	return sheet;
}

struct spe_sheet *spe_facts_new(struct spe_sheets *sheets, const char *key, const char *title)
{
	struct spe_sheet *sheet = spe_sheet_new(sheets, key, title, fact_columns,
						NR(fact_columns));

	sheet->is_facts = true;
	return sheet;
}

void spe_sheet_note(struct spe_sheet *sheet, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	free(sheet->note);
	sheet->note = format_args(format, args);
	va_end(args);
}

static struct spe_cell *add_cell(struct spe_sheet *sheet, enum spe_cell_kind kind)
{
	sheet->cells = xgrow(sheet->cells, sheet->nr_cells, &sheet->max_cells,
			     sizeof(*sheet->cells));
	sheet->cells[sheet->nr_cells] = (struct spe_cell) { .kind = kind };
	return &sheet->cells[sheet->nr_cells++];
}

void spe_cell_none(struct spe_sheet *sheet)
{
	add_cell(sheet, SPE_CELL_NONE);
}

void spe_cell_take(struct spe_sheet *sheet, char *text)
{
	/* Names from files may hold escape sequences. */
	plain_text(text);
	add_cell(sheet, SPE_CELL_TEXT)->text = text;
}

void spe_cell_text(struct spe_sheet *sheet, const char *text)
{
	spe_cell_take(sheet, xstrdup(text));
}

void spe_cell_count(struct spe_sheet *sheet, uint64_t count)
{
	spe_cell_at_least(sheet, count, false);
}

void spe_cell_hex(struct spe_sheet *sheet, uint64_t number)
{
	add_cell(sheet, SPE_CELL_HEX)->count = number;
}

void spe_cell_seconds(struct spe_sheet *sheet, double seconds)
{
	add_cell(sheet, SPE_CELL_SECONDS)->number = seconds;
}

void spe_cell_share(struct spe_sheet *sheet, uint64_t part, uint64_t whole)
{
	if (whole)
		spe_cell_number_at_least(sheet, 100.0 * (double)part / (double)whole, false);
	else
		spe_cell_none(sheet);
}

void spe_cell_at_least(struct spe_sheet *sheet, uint64_t count, bool at_least)
{
	struct spe_cell *cell = add_cell(sheet, SPE_CELL_COUNT);

	cell->count = count;
	cell->at_least = at_least;
}

void spe_cell_number_at_least(struct spe_sheet *sheet, double number, bool at_least)
{
	struct spe_cell *cell = add_cell(sheet, SPE_CELL_NUMBER);

	cell->number = number;
	cell->at_least = at_least;
}

void spe_fact(struct spe_sheet *sheet, const char *key, const char *title)
{
	spe_cell_text(sheet, key);
	spe_cell_text(sheet, title);
}

void spe_fact_text(struct spe_sheet *sheet, const char *key, const char *title, const char *text)
{
	spe_fact(sheet, key, title);
	spe_cell_text(sheet, text);
}

void spe_fact_count(struct spe_sheet *sheet, const char *key, const char *title, uint64_t count)
{
	spe_fact(sheet, key, title);
	spe_cell_count(sheet, count);
}

size_t spe_sheet_rows(const struct spe_sheet *sheet)
{
	return sheet->nr_cells / sheet->nr_columns;
}

const struct spe_cell *spe_sheet_at(const struct spe_sheet *sheet, size_t row, size_t column)
{
	return &sheet->cells[row * sheet->nr_columns + column];
}

const char *spe_sheet_column(const struct spe_sheet *sheet, size_t column)
{
	if (sheet->share && !strcmp(sheet->columns[column].key, SPE_SHARE_KEY))
		return sheet->share;
	return sheet->columns[column].title;
}

int spe_cell_print(const struct spe_cell *cell, char *text, size_t size)
{
	const char *mark = cell->at_least ? ">= " : "";

	switch (cell->kind) {
	case SPE_CELL_TEXT:
		return snprintf(text, size, "%s", cell->text);
	case SPE_CELL_COUNT:
		return snprintf(text, size, "%s%" PRIu64, mark, cell->count);
	case SPE_CELL_NUMBER:
		return snprintf(text, size, "%s%.*f", mark, DECIMALS, cell->number);
	case SPE_CELL_SECONDS:
		return snprintf(text, size, "%.6f", cell->number);
	case SPE_CELL_HEX:
		return snprintf(text, size, "0x%" PRIx64, cell->count);
	default:
		return snprintf(text, size, "-");
	}
}

static size_t width_of(const struct spe_sheet *sheet, size_t column)
{
	size_t width = strlen(spe_sheet_column(sheet, column));

	for (size_t i = 0; i < spe_sheet_rows(sheet); i++) {
		char number[CELL_MAX];
		const struct spe_cell *cell = spe_sheet_at(sheet, i, column);
		size_t len = (size_t)spe_cell_print(cell, number, sizeof(number));

		if (len > width)
			width = len;
	}
	return width < WIDTH_MAX ? width : WIDTH_MAX;
}

/* Return: whether a column holds words, which are left-aligned. */
static bool is_of_words(const struct spe_sheet *sheet, size_t column)
{
	for (size_t i = 0; i < spe_sheet_rows(sheet); i++)
		if (spe_sheet_at(sheet, i, column)->kind == SPE_CELL_TEXT)
			return true;
	return false;
}

static void put_padded(FILE *out, const char *text, size_t width, bool left, bool last)
{
	size_t len = strlen(text), padding = width > len ? width - len : 0;

	if (!left)
		fprintf(out, "%*s", (int)padding, "");
	fputs(text, out);
	if (left && !last)
		fprintf(out, "%*s", (int)padding, "");
	fputs(last ? "\n" : "  ", out);
}

static void print_table(const struct spe_sheet *sheet, FILE *out)
{
	size_t nr = sheet->nr_columns;

	for (size_t column = 0; column < nr; column++)
		put_padded(out, spe_sheet_column(sheet, column), width_of(sheet, column),
			   is_of_words(sheet, column), column + 1 == nr);
	for (size_t row = 0; row < spe_sheet_rows(sheet); row++) {
		for (size_t column = 0; column < nr; column++) {
			const struct spe_cell *cell = spe_sheet_at(sheet, row, column);
			char number[CELL_MAX];

			spe_cell_print(cell, number, sizeof(number));
			put_padded(out, cell->kind == SPE_CELL_TEXT ? cell->text : number,
				   width_of(sheet, column), is_of_words(sheet, column),
				   column + 1 == nr);
		}
	}
}

static void print_facts(const struct spe_sheet *sheet, FILE *out)
{
	size_t width = width_of(sheet, 1);

	for (size_t row = 0; row < spe_sheet_rows(sheet); row++) {
		const struct spe_cell *cell = spe_sheet_at(sheet, row, 2);
		char number[CELL_MAX];

		spe_cell_print(cell, number, sizeof(number));
		put_padded(out, spe_sheet_at(sheet, row, 1)->text, width, true, false);
		put_padded(out, cell->kind == SPE_CELL_TEXT ? cell->text : number, 0, true, true);
	}
}

/* Wrapped text in brackets. */
static void print_note(const char *note, FILE *out)
{
	size_t column = 0, len;

	fputc('(', out);
	for (; *note; note += len + strspn(note + len, " ")) {
		len = strcspn(note, " ");
		if (column && column + 1 + len > NOTE_WIDTH) {
			fputs("\n ", out);
			column = 0;
		} else if (column) {
			fputc(' ', out);
		}
		fwrite(note, 1, len, out);
		column += 1 + len;
	}
	fputs(")\n", out);
}

void spe_sheets_print(const struct spe_sheets *sheets, FILE *out)
{
	for (const struct spe_sheet *sheet = sheets->first; sheet; sheet = sheet->next) {
		fprintf(out, "%s%s\n", sheet == sheets->first ? "" : "\n", sheet->title);
		if (sheet->is_facts)
			print_facts(sheet, out);
		else if (spe_sheet_rows(sheet))
			print_table(sheet, out);
		else
			fputs("none\n", out);
		if (sheet->note)
			print_note(sheet->note, out);
	}
}

static struct json_object *json_of(const struct spe_cell *cell)
{
	char text[CELL_MAX];

	switch (cell->kind) {
	case SPE_CELL_TEXT:
		return json_object_new_string(cell->text);
	case SPE_CELL_COUNT:
		return json_object_new_uint64(cell->count);
	case SPE_CELL_NUMBER:
	case SPE_CELL_SECONDS:
		return json_object_new_double(cell->number);
	case SPE_CELL_HEX:
		/* Not all JSON readers support 64-bit numbers. */
		spe_cell_print(cell, text, sizeof(text));
		return json_object_new_string(text);
	default:
		return NULL;
	}
}

static void json_cell(struct json_object *object, const char *key, const struct spe_cell *cell)
{
	char *mark;

	json_add(object, key, json_of(cell));
	if (!cell->at_least)
		return;
	mark = format_string("%s_at_least", key);
	json_add(object, mark, json_object_new_boolean(true));
	free(mark);
}

static struct json_object *facts_of(const struct spe_sheet *sheet)
{
	struct json_object *object = json_object_new_object();

	for (size_t row = 0; row < spe_sheet_rows(sheet); row++)
		json_cell(object, spe_sheet_at(sheet, row, 0)->text, spe_sheet_at(sheet, row, 2));
	return object;
}

static struct json_object *rows_of(const struct spe_sheet *sheet)
{
	struct json_object *array = json_object_new_array();

	for (size_t row = 0; row < spe_sheet_rows(sheet); row++) {
		struct json_object *object = json_object_new_object();

		for (size_t i = 0; i < sheet->nr_columns; i++)
			json_cell(object, sheet->columns[i].key, spe_sheet_at(sheet, row, i));
		json_append(array, object);
	}
	return array;
}

void spe_sheets_json(const struct spe_sheets *sheets, FILE *out)
{
	struct json_object *object = json_object_new_object();

	/* SPE samples are never simulated. */
	json_add(object, "simulated", json_object_new_boolean(false));
	for (const struct spe_sheet *sheet = sheets->first; sheet; sheet = sheet->next)
		json_add(object, sheet->key, sheet->is_facts ? facts_of(sheet) : rows_of(sheet));
	json_print_pretty(object, out);
}
