// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Tables of a report as JSON: arrays of objects; facts are one object. */
#include <stdio.h>

#include "lib/json.h"
#include "lib/memory.h"
#include "sheet.h"

#define HEX_MAX		24

static struct json_object *json_of(const struct spe_cell *cell)
{
	char text[HEX_MAX];

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

static void add_cell(struct json_object *object, const char *key, const struct spe_cell *cell)
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
		add_cell(object, spe_sheet_at(sheet, row, 0)->text, spe_sheet_at(sheet, row, 2));
	return object;
}

static struct json_object *rows_of(const struct spe_sheet *sheet)
{
	struct json_object *array = json_object_new_array();

	for (size_t row = 0; row < spe_sheet_rows(sheet); row++) {
		struct json_object *object = json_object_new_object();

		for (size_t i = 0; i < sheet->nr_columns; i++)
			add_cell(object, sheet->columns[i].key, spe_sheet_at(sheet, row, i));
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
