// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* JSON output of changes between two recordings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "lib/json.h"
#include "lib/util.h"

#define SCHEMA	"n3stat-diff-1"

static json_object *number_of(double number)
{
	char text[400];

	if (!isfinite(number))
		return NULL;
	snprintf(text, sizeof(text), "%.6f", number);
	return json_object_new_double_s(number, text);
}

static json_object *string_of(const char *text)
{
	return json_object_new_string(text);
}

/* The recording's "about" lines as strings. */
static json_object *object_of_side(const struct diff_side *side)
{
	const struct recording *recording = side->recording;
	json_object *object = json_object_new_object(), *about = json_object_new_object();

	for (size_t i = 0; i < recording->nr_about; i++)
		json_add(about, recording->about[i].key, string_of(recording->about[i].value));
	json_add(object, "file", string_of(recording->name));
	json_add(object, "about", about);
	json_add(object, "start", number_of(side->summary->start));
	json_add(object, "end", number_of(side->summary->end));
	json_add(object, "snapshots", json_object_new_int64((long long)side->summary->nr));
	return object;
}

static void add_mean(json_object *object, const char *key, const char *word_key,
		     const struct summary_cell *cell)
{
	json_add(object, key, cell->numbers ? number_of(cell->mean) : NULL);
	if (!cell->numbers)
		json_add(object, word_key, string_of(*cell->word ? cell->word : NO_VALUE));
}

static json_object *object_of_row(const struct diff_row *row)
{
	bool compared = row->verdict != DIFF_NO_NUMBER;
	json_object *object = json_object_new_object();

	add_mean(object, "a", "a_word", row->a);
	add_mean(object, "b", "b_word", row->b);
	json_add(object, "change", compared ? number_of(row->change) : NULL);
	json_add(object, "change_unit",
		 string_of(row->points ? "percentage points" : row->column->unit));
	json_add(object, "relative", number_of(row->relative));
	json_add(object, "error", row->has_error && !row->says_nothing ? number_of(row->error) :
									 NULL);
	json_add(object, "verdict", string_of(diff_verdicts[row->verdict]));
	json_add(object, "unit", string_of(row->column->unit));
	return object;
}

static json_object *array_of_facts(const struct diff *diff)
{
	json_object *array = json_object_new_array();
	const struct diff_fact *fact;
	size_t at = 0;

	while ((fact = diff_next_fact(diff, &at)))
		json_append(array, string_of(fact->key));
	return array;
}

void diff_json(const struct diff *diff)
{
	json_object *object = json_object_new_object(), *metrics = json_object_new_object();

	for (size_t i = 0; i < diff->nr; i++)
		json_add(metrics, diff->rows[i].column->name, object_of_row(&diff->rows[i]));
	json_add(object, "schema", string_of(SCHEMA));
	json_add(object, "simulated", json_object_new_boolean(diff_is_simulated(diff)));
	json_add(object, "a", object_of_side(&diff->a));
	json_add(object, "b", object_of_side(&diff->b));
	json_add(object, "place",
		 string_of(diff->a.recording->places.v[diff->a.place].name));
	json_add(object, "differs", array_of_facts(diff));
	json_add(object, "excluded", json_object_new_int64((long long)diff->excluded));
	json_add(object, "metrics", metrics);
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}
