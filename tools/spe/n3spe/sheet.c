// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Tables of a report, as text and JSON: arrays of objects; facts are one object. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"
#include "lib/memory.h"
#include "lib/plain.h"
#include "lib/text.h"
#include "sheet.h"

#define BETWEEN		2	/* blanks between columns */
#define PATH_MIN	16	/* to which paths are shortened before columns are left out */
#define NAME_MIN	8
#define NAME_KEPT	22	/* to which names are shortened before columns are left out */

void spe_sheets_free(struct spe_sheets *sheets)
{
	for (; sheets->nr; sheets->nr--) {
		struct spe_sheet *sheet = &sheets->v[sheets->nr - 1];

		for (size_t i = 0; i < sheet->nr_cells; i++)
			if (sheet->cells[i].kind == SPE_CELL_TEXT)
				free(sheet->cells[i].text);
		free(sheet->cells);
		free(sheet->note);
	}
}

struct spe_cell *spe_cell(struct spe_sheet *sheet, enum spe_cell_kind kind)
{
	sheet->cells = xgrow(sheet->cells, sheet->nr_cells, &sheet->max_cells,
			     sizeof(*sheet->cells));
	sheet->cells[sheet->nr_cells] = (struct spe_cell) { .kind = kind };
	return &sheet->cells[sheet->nr_cells++];
}

void spe_cell_take(struct spe_sheet *sheet, char *text)
{
	/* Names from files may hold escape sequences. */
	plain_text(text);
	spe_cell(sheet, SPE_CELL_TEXT)->text = text;
}

void spe_cell_text(struct spe_sheet *sheet, const char *text)
{
	spe_cell_take(sheet, xstrdup(text));
}

struct spe_cell *spe_cell_count(struct spe_sheet *sheet, uint64_t count)
{
	struct spe_cell *cell = spe_cell(sheet, SPE_CELL_COUNT);

	cell->count = count;
	return cell;
}

void spe_cell_share(struct spe_sheet *sheet, uint64_t part, uint64_t whole)
{
	spe_cell(sheet, whole ? SPE_CELL_SHARE : SPE_CELL_NONE)->number =
		100.0 * (double)part / (double)whole;
}

struct spe_cell *spe_cell_mean(struct spe_sheet *sheet, uint64_t sum, uint64_t nr)
{
	struct spe_cell *cell = spe_cell(sheet, nr ? SPE_CELL_NUMBER : SPE_CELL_NONE);

	cell->number = (double)sum / (double)nr;
	return cell;
}

struct spe_cell *spe_fact(struct spe_sheet *sheet, const char *key, const char *title,
			  enum spe_cell_kind kind)
{
	spe_cell_text(sheet, key);
	spe_cell_text(sheet, title);
	return spe_cell(sheet, kind);
}

void spe_fact_text(struct spe_sheet *sheet, const char *key, const char *title, const char *text)
{
	spe_fact(sheet, key, title, SPE_CELL_TEXT)->text = plain_copy(text);
}

void spe_fact_count(struct spe_sheet *sheet, const char *key, const char *title, uint64_t count)
{
	spe_fact(sheet, key, title, SPE_CELL_COUNT)->count = count;
}

void spe_fact_if(struct spe_sheet *sheet, const char *key, const char *title, uint64_t count)
{
	if (count)
		spe_fact_count(sheet, key, title, count);
}

ssize_t spe_sheet_rows(const struct spe_sheet *sheet)
{
	return (ssize_t)(sheet->nr_cells / sheet->nr_columns);
}

const struct spe_cell *spe_sheet_at(const struct spe_sheet *sheet, ssize_t row, size_t column)
{
	return &sheet->cells[(size_t)row * sheet->nr_columns + column];
}

const char *spe_sheet_text(const struct spe_sheet *sheet, ssize_t row, size_t column, char *number)
{
	bool is_share = !strcmp(sheet->columns[column].key, SPE_SHARE_KEY);
	const struct spe_cell *cell;
	const char *mark;

	if (row < 0)
		return is_share && sheet->share ? sheet->share : sheet->columns[column].title;
	cell = spe_sheet_at(sheet, row, column);
	mark = cell->at_least ? ">=" : "";
	if (cell->kind == SPE_CELL_TEXT)
		return cell->text;
	if (cell->kind == SPE_CELL_NONE)
		return "-";
	if (cell->kind == SPE_CELL_COUNT)
		snprintf(number, SPE_CELL_MAX, "%s%" PRIu64, mark, cell->count);
	else if (cell->kind == SPE_CELL_HEX)
		snprintf(number, SPE_CELL_MAX, "0x%" PRIx64, cell->count);
	else
		snprintf(number, SPE_CELL_MAX, "%s%.*f", mark,
			 cell->kind == SPE_CELL_SECONDS ? 6 : cell->kind == SPE_CELL_SHARE ? 2 : 1,
			 cell->number);
	return number;
}

/* Return: the characters of a text in UTF-8. */
static size_t length(const char *text)
{
	size_t nr = 0;

	for (; *text; text++)
		nr += (*text & 0xc0) != 0x80;
	return nr;
}

/* Return: the text behind @nr characters. */
static const char *skip(const char *text, size_t nr)
{
	for (; *text && (nr || (*text & 0xc0) == 0x80); text++)
		nr -= (*text & 0xc0) != 0x80;
	return text;
}

/* Prints at most @width characters, with ".." for the start or else part of the middle. */
static void print_cut(FILE *out, const char *text, size_t width, bool at_start)
{
	size_t len = length(text), cut = len > width ? len - width + 2 : 0;
	size_t head = at_start ? 0 : (len - cut) * 2 / 3;

	fprintf(out, "%.*s%s%s", (int)(skip(text, head) - text), text, cut ? ".." : "",
		skip(text, head + cut));
}

/* A column of the text. */
struct shown {
	size_t width;		/* 0: left out */
	bool is_left;		/* of words, which are left-aligned */
	enum spe_cut cut;
};

/* Empty columns and, if they may be left out, those of zeros are not shown. */
static void measure(const struct spe_sheet *sheet, size_t column, struct shown *shown)
{
	bool is_empty = true;

	*shown = (struct shown) { .cut = sheet->columns[column].cut };
	for (ssize_t row = -1; row < spe_sheet_rows(sheet); row++) {
		char number[SPE_CELL_MAX];
		size_t len = length(spe_sheet_text(sheet, row, column, number));
		const struct spe_cell *cell;

		if (len > shown->width)
			shown->width = len;
		if (row < 0)
			continue;
		cell = spe_sheet_at(sheet, row, column);
		if (cell->kind == SPE_CELL_TEXT)
			shown->is_left = true;
		if (cell->kind != SPE_CELL_NONE &&
		    (cell->kind != SPE_CELL_COUNT || cell->count || !sheet->columns[column].rank))
			is_empty = false;
	}
	/* The key of a fact is for JSON. */
	if (is_empty || (sheet->is_facts && !column))
		shown->width = 0;
}

/* Return: the width of a row whose columns are cut to the maxima of their kinds. */
static size_t row_width(const struct shown *shown, size_t nr, size_t name_max, size_t path_max)
{
	const size_t max[] = { SIZE_MAX, [SPE_CUT_NAME] = name_max, [SPE_CUT_PATH] = path_max };
	size_t all = 0;

	for (size_t i = 0; i < nr; i++)
		if (shown[i].width)
			all += (shown[i].width < max[shown[i].cut] ? shown[i].width :
				max[shown[i].cut]) + BETWEEN;
	return all - BETWEEN;
}

/* Shortens the widest names, and paths, which are shortened more. */
static void narrow(struct shown *shown, size_t nr, size_t room)
{
	const size_t more[] = { [SPE_CUT_NAME] = 0, [SPE_CUT_PATH] = NAME_KEPT - PATH_MIN };

	for (size_t over = row_width(shown, nr, SIZE_MAX, SIZE_MAX); over > room; over--) {
		struct shown *widest = NULL;

		for (size_t i = 0; i < nr; i++)
			if (shown[i].cut && shown[i].width > NAME_MIN &&
			    (!widest || shown[i].width + more[shown[i].cut] >
					widest->width + more[widest->cut]))
				widest = &shown[i];
		if (!widest)
			return;
		widest->width--;
	}
}

/* One row, -1: the heads. */
static void print_row(const struct spe_sheet *sheet, FILE *out, const struct shown *shown,
		      ssize_t row)
{
	size_t blanks = 0;

	for (size_t i = 0; i < sheet->nr_columns; i++, shown++) {
		char number[SPE_CELL_MAX];
		const char *text = spe_sheet_text(sheet, row, i, number);
		size_t len = length(text);
		size_t padding = shown->width > len ? shown->width - len : 0;

		if (!shown->width)
			continue;
		fprintf(out, "%*s", (int)(blanks + (shown->is_left ? 0 : padding)), "");
		/* Names in brackets are no paths. */
		print_cut(out, text, shown->width, shown->cut == SPE_CUT_PATH && *text != '[');
		blanks = BETWEEN + (shown->is_left ? padding : 0);
	}
	fputc('\n', out);
}

static void print_table(const struct spe_sheet *sheet, FILE *out, size_t room)
{
	struct shown shown[SPE_COLUMNS_MAX];
	size_t nr = sheet->nr_columns;

	for (size_t i = 0; i < nr; i++)
		measure(sheet, i, &shown[i]);
	for (unsigned int rank = SPE_RANK_MAX; rank > 0; rank--) {
		size_t name_max = rank < SPE_RANK_NAMES ? NAME_MIN : NAME_KEPT;
		size_t path_max = rank < SPE_RANK_COUNTS ? PATH_MIN : SIZE_MAX;

		for (size_t i = 0; i < nr; i++)
			if ((sheet->kept >> i & 1 ? 1 : sheet->columns[i].rank) == rank &&
			    row_width(shown, nr, name_max, path_max) > room)
				shown[i].width = 0;
	}
	narrow(shown, nr, room);
	for (ssize_t row = sheet->is_facts ? 0 : -1; row < spe_sheet_rows(sheet); row++)
		print_row(sheet, out, shown, row);
}

void spe_sheets_print(const struct spe_sheets *sheets, FILE *out, size_t width)
{
	for (size_t i = 0; i < sheets->nr; i++) {
		const struct spe_sheet *sheet = &sheets->v[i];
		char *note;

		fprintf(out, "%s%s\n", i ? "\n" : "", sheet->title);
		if (spe_sheet_rows(sheet))
			print_table(sheet, out, width);
		else
			fputs("none\n", out);
		if (!sheet->note)
			continue;
		note = format_string("(%s)", sheet->note);
		print_folded(out, "", " ", note, width);
		free(note);
	}
}

static void json_cell(struct json_object *object, const char *key, const struct spe_sheet *sheet,
		      ssize_t row, size_t column)
{
	const struct spe_cell *cell = spe_sheet_at(sheet, row, column);
	char number[SPE_CELL_MAX], *mark;

	if (cell->kind == SPE_CELL_COUNT)
		json_add(object, key, json_object_new_uint64(cell->count));
	else if (cell->kind == SPE_CELL_NONE)
		json_add(object, key, NULL);
	else if (cell->kind == SPE_CELL_TEXT || cell->kind == SPE_CELL_HEX)
		/* Not all JSON readers support 64-bit numbers. */
		json_add(object, key,
			 json_object_new_string(spe_sheet_text(sheet, row, column, number)));
	else
		json_add(object, key, json_object_new_double(cell->number));
	if (!cell->at_least)
		return;
	mark = format_string("%s_at_least", key);
	json_add(object, mark, json_object_new_boolean(true));
	free(mark);
}

static struct json_object *facts_of(const struct spe_sheet *sheet)
{
	struct json_object *object = json_object_new_object();

	for (ssize_t row = 0; row < spe_sheet_rows(sheet); row++)
		json_cell(object, spe_sheet_at(sheet, row, 0)->text, sheet, row, 2);
	return object;
}

static struct json_object *rows_of(const struct spe_sheet *sheet)
{
	struct json_object *array = json_object_new_array();

	for (ssize_t row = 0; row < spe_sheet_rows(sheet); row++) {
		struct json_object *object = json_object_new_object();

		for (size_t i = 0; i < sheet->nr_columns; i++)
			json_cell(object, sheet->columns[i].key, sheet, row, i);
		json_append(array, object);
	}
	return array;
}

void spe_sheets_json(const struct spe_sheets *sheets, FILE *out)
{
	struct json_object *object = json_object_new_object();

	/* SPE samples are never simulated. */
	json_add(object, "simulated", json_object_new_boolean(false));
	for (size_t i = 0; i < sheets->nr; i++)
		json_add(object, sheets->v[i].key, sheets->v[i].is_facts ?
			 facts_of(&sheets->v[i]) : rows_of(&sheets->v[i]));
	json_print_pretty(object, out);
}
