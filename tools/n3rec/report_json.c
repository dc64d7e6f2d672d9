// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Recordings as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"
#include "libn3telemetry/catalog.h"
#include "reader/answer_json.h"
#include "report.h"

#define SCHEMA	"n3stat-report-1"

json_object *json_of_number(double number)
{
	char text[400];

	if (!isfinite(number))
		return NULL;
	snprintf(text, sizeof(text), "%.6f", number);
	return json_object_new_double_s(number, text);
}

void json_add_recording(json_object *object, const struct recording *recording,
			const struct summary *summary)
{
	json_object *about = json_object_new_object();

	for (size_t i = 0; i < recording->nr_about; i++)
		json_add(about, recording->about[i].key,
			 json_object_new_string(recording->about[i].value));
	json_add(object, "file", json_object_new_string(recording->name));
	json_add(object, "about", about);
	json_add(object, "start", json_of_number(summary->start));
	json_add(object, "end", json_of_number(summary->end));
	json_add(object, "snapshots", json_object_new_int64((long long)summary->nr));
}

static json_object *mean_of(const struct summary *summary, const struct summary_cell *cell,
			    const struct recording_column *column)
{
	json_object *object = json_object_new_object();
	bool known = cell->numbers;
	double error;

	json_add(object, "mean", known ? json_of_number(cell->mean) : NULL);
	if (!known)
		json_add(object, "word",
			 json_object_new_string(*cell->word ? cell->word : NO_VALUE));
	if (!known || !summary_error_is_useful(summary, cell, column->unit, &error))
		error = NAN;
	json_add(object, "error", json_of_number(error));
	json_add(object, "min", known ? json_of_number(cell->min) : NULL);
	json_add(object, "max", known ? json_of_number(cell->max) : NULL);
	json_add(object, "snapshots", json_object_new_int64((long long)cell->numbers));
	json_add(object, "unit", json_object_new_string(column->unit));
	return object;
}

static json_object *place_of(const struct recording *recording, const struct summary *summary,
			     size_t place)
{
	json_object *object = json_object_new_object(), *metrics = json_object_new_object();
	struct value *means = means_of(recording, summary, place);
	struct answer answer;

	for (size_t i = 0; i < recording->nr_columns; i++)
		if (recording_is_first(recording, i))
			json_add(metrics, recording->columns[i].name,
				 mean_of(summary, summary_at(summary, place, i),
					 &recording->columns[i]));
	json_add(object, "place", json_object_new_string(recording->places.v[place].name));
	answer_find(&answer, means_at, means);
	json_add_answer(object, &answer);
	free(means);
	json_add(object, "metrics", metrics);
	return object;
}

void report_json(const struct recording *recording, const struct summary *summary,
		 const char *name)
{
	json_object *object = json_object_new_object(), *places = json_object_new_array();
	bool simulated = recording_about(recording, "simulated");

	for (size_t i = 0; i < recording->places.nr; i++)
		if (!name || !strcmp(recording->places.v[i].name, name))
			json_append(places, place_of(recording, summary, i));
	json_add(object, "schema", json_object_new_string(SCHEMA));
	json_add(object, "simulated", json_object_new_boolean(simulated));
	json_add_recording(object, recording, summary);
	json_add(object, "places", places);
	json_print_line(object);
}
