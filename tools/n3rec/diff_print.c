// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Changes between two recordings as a table or as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "lib/json.h"
#include "lib/text.h"
#include "report.h"

#define SCHEMA	"n3stat-diff-1"

/* With the decimals that the error of the change allows. */
static struct number_text text_of(const struct diff_row *row, double number)
{
	double unknown = row->a->covers || row->b->covers ? NAN : 0;

	return number_text(number, row->has_error ? row->error : unknown,
			   summary_decimals(row->column));
}

static void print_mean(const struct diff_row *row, const struct summary_cell *cell)
{
	struct number_text text = text_of(row, cell->mean);

	if (cell->numbers)
		printf(" %*s%*s", 12 - text.pad, text.number, text.pad, "");
	else
		printf(" %12s", *cell->word ? cell->word : NO_VALUE);
}

/* From 10 % to 12 % is a rise by 2 percentage points and by 20 percent. */
static void print_change(const struct diff_row *row)
{
	struct number_text text = text_of(row, row->change);
	const char *unit = row->points ? "pp" : "";

	printf(" %+*.*f %-2s%*s", 12 - text.pad, text.decimals, row->change, unit, text.pad, "");
	if (!row->has_error)
		printf(" %10s   ", NO_RANGE);
	else
		printf(" %*s %-2s%*s", 10 - text.pad, text.error, unit, text.pad, "");
	if (isnan(row->relative))
		printf(" %9s  ", "-");
	else
		printf(" %+9.1f %%", row->relative);
}

static void print_row(const struct diff_row *row)
{
	printf("%-33s", row->column->name);
	print_mean(row, row->a);
	print_mean(row, row->b);
	if (row->verdict == DIFF_NO_NUMBER)
		printf(" %12s    %10s    %9s  ", "-", "-", "-");
	else
		print_change(row);
	printf("  %-22s %s\n", *row->column->unit ? row->column->unit : "-",
	       diff_verdicts[row->verdict].text);
}

static void print_head(const char *which, const struct diff_side *side)
{
	const struct recording *recording = &side->recording;

	printf("%s: %s, %s, %lu %s\n", which, recording->name,
	       recording->places.v[side->place].name, side->summary.nr,
	       plural(side->summary.nr, "snapshot", "snapshots"));
}

/* A warning if only one of them is simulated. */
static void print_simulated_of(const struct diff *diff)
{
	bool of_a = recording_about(&diff->a.recording, "simulated");
	bool of_b = recording_about(&diff->b.recording, "simulated");

	if (of_a || of_b)
		printf("%ssimulated counts (n3_sim)\n", of_a && of_b ? "" : of_a ? "A: " : "B: ");
}

void diff_print(const struct diff *diff)
{
	print_simulated_of(diff);
	print_head("A", &diff->a);
	print_head("B", &diff->b);
	printf("\n%-33s %12s %12s %12s    %10s    %11s  %-22s %s\n", "metric", "A", "B", "change",
	       "error", "change of A", "unit of A and B", "verdict");
	for (size_t i = 0; i < diff->nr; i++)
		print_row(&diff->rows[i]);
	putchar('\n');
	if (diff->excluded)
		printf("%lu %s excluded: no value in A or in B.\n", diff->excluded,
		       plural(diff->excluded, "metric is", "metrics are"));
	if (diff->few)
		printf("%lu %s no verdict: fewer than %d independent windows in A or in B.\n",
		       diff->few, plural(diff->few, "metric has", "metrics have"),
		       DIFF_MIN_WINDOWS);
	printf("%lu of %lu %s; by chance %.2g would (5 %% of those compared).\n",
	       diff->different, diff->compared,
	       plural(diff->compared, "compared metric differs", "compared metrics differ"),
	       diff_by_chance(diff));
}

static json_object *string_of(const char *text)
{
	return json_object_new_string(text);
}

static json_object *object_of_side(const struct diff_side *side)
{
	json_object *object = json_object_new_object();

	json_add_recording(object, &side->recording, &side->summary);
	return object;
}

static void add_mean(json_object *object, const char *key, const char *word_key,
		     const struct summary_cell *cell)
{
	json_add(object, key, cell->numbers ? json_of_number(cell->mean) : NULL);
	if (!cell->numbers)
		json_add(object, word_key, string_of(*cell->word ? cell->word : NO_VALUE));
}

static json_object *object_of_row(const struct diff_row *row)
{
	bool compared = row->verdict != DIFF_NO_NUMBER;
	json_object *object = json_object_new_object();

	add_mean(object, "a", "a_word", row->a);
	add_mean(object, "b", "b_word", row->b);
	json_add(object, "change", compared ? json_of_number(row->change) : NULL);
	json_add(object, "change_unit",
		 string_of(row->points ? "percentage points" : row->column->unit));
	json_add(object, "relative", json_of_number(row->relative));
	json_add(object, "error", row->has_error ? json_of_number(row->error) : NULL);
	json_add(object, "a_windows", json_object_new_int64((long long)row->windows_a));
	json_add(object, "b_windows", json_object_new_int64((long long)row->windows_b));
	json_add(object, "verdict", string_of(diff_verdicts[row->verdict].text));
	json_add(object, "verdict_id", string_of(diff_verdicts[row->verdict].id));
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
		 string_of(diff->a.recording.places.v[diff->a.place].name));
	json_add(object, "differs", array_of_facts(diff));
	json_add(object, "excluded", json_object_new_int64((long long)diff->excluded));
	json_add(object, "compared", json_object_new_int64((long long)diff->compared));
	json_add(object, "different", json_object_new_int64((long long)diff->different));
	json_add(object, "different_by_chance", json_of_number(diff_by_chance(diff)));
	json_add(object, "metrics", metrics);
	json_print_line(object);
}
