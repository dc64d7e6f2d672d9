// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Input of the page's scripts: the recording and its description. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"
#include "lib/memory.h"
#include "lib/plain.h"
#include "lib/text.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/answer.h"
#include "page.h"

#define MAX_STUDENTS	100	/* t is nearly constant beyond it */
#define MAX_BELOW	16

static json_object *text_of(const char *text)
{
	return json_object_new_string(text);
}

static json_object *integer(size_t number)
{
	return json_object_new_int64((int64_t)number);
}

/* JSON lacks NAN and infinity. */
static json_object *number_of(double number, int digits)
{
	char text[40];

	if (!isfinite(number))
		return NULL;
	snprintf(text, sizeof(text), "%.*g", digits, number);
	return json_object_new_double_s(number, text);
}

/* A shell word for the shown command. */
static json_object *argument_of(const char *file)
{
	char *path = format_string("%s%s", *file == '-' ? "./" : "", file);
	char *word = shell_word(path);
	json_object *argument;

	plain_text(word);
	argument = text_of(word);
	free(word);
	free(path);
	return argument;
}

static json_object *times(const struct page *page)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < page->cells.nr; i++)
		json_append(array, number_of(round(page->cells.time[i] * 1000) / 1000, 12));
	return array;
}

static json_object *places(const struct page *page)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < page->recording->places.nr; i++)
		json_append(array, text_of(page->recording->places.v[i].name));
	return array;
}

/* Whether a CPU has values of it. */
static bool is_of_cpus(const struct page *page, size_t column)
{
	for (size_t i = 0; i < page->recording->places.nr; i++)
		if (page->recording->places.v[i].scope == SCOPE_CPU &&
		    cells_line(&page->cells, i, column))
			return true;
	return false;
}

/* Upper end of a scale for the values of all CPUs. */
static double scale_top(const struct page *page, size_t column)
{
	double max = 0;

	if (!strncmp(page->recording->columns[column].unit, "percent", strlen("percent")))
		return 100;
	for (size_t i = 0; i < page->recording->places.nr; i++)
		if (page->recording->places.v[i].scope == SCOPE_CPU)
			max = fmax(max, summary_at(&page->summary, i, column)->max);
	return page_round_up(max);
}

/* CSS class of cells with a word. */
static const char *word_class(const char *word)
{
	static const char * const known[] = { "idle", "offline", "contended", "disabled" };

	for (size_t i = 0; i < NR(known); i++)
		if (!strcmp(word, known[i]))
			return known[i];
	return strcmp(word, NO_VALUE) ? "other" : "none";
}

static json_object *columns(const struct page *page)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < page->recording->nr_columns; i++) {
		const struct recording_column *column = &page->recording->columns[i];
		int group = catalog_find_group(column->group);
		json_object *object = json_object_new_object();

		json_add(object, "group", text_of(column->group));
		json_add(object, "title", text_of(group < 0 ? column->group :
						  catalog_group(group).title));
		json_add(object, "name", text_of(column->name));
		json_add(object, "unit", text_of(column->unit));
		json_add(object, "brief", text_of(strcmp(column->short_unit, "-") ?
						  column->short_unit : ""));
		json_add(object, "decimals", integer((size_t)summary_decimals(column)));
		if (is_of_cpus(page, i))
			json_add(object, "top", number_of(scale_top(page, i), 9));
		json_append(array, object);
	}
	return array;
}

static json_object *pair_of(const char *first, const char *second)
{
	json_object *pair = json_object_new_array();

	json_append(pair, text_of(first));
	json_append(pair, text_of(second));
	return pair;
}

static json_object *words(const struct page *page)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < page->cells.nr_words; i++)
		json_append(array, pair_of(page->cells.words[i],
					   word_class(page->cells.words[i])));
	return array;
}

static json_object *level_1_names(void)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < NR_LEVEL_1; i++)
		json_append(array, pair_of(level_1[i].metric, level_1[i].title));
	return array;
}

/* Of each node of the tree: the metrics below it, the name in answers, the group of those below. */
static void add_tree(json_object *below, json_object *names, json_object *groups, int metric)
{
	int metrics[MAX_BELOW], group = path_group(metric);
	size_t nr = path_below(metric, metrics, MAX_BELOW);
	const char *name = metric < 0 ? "" : catalog_metric_name(metric);
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < nr; i++)
		json_append(array, text_of(catalog_metric_name(metrics[i])));
	json_add(below, name, array);
	if (metric >= 0)
		json_add(names, name, text_of(catalog_short_name(metric)));
	if (group >= 0)
		json_add(groups, name, text_of(catalog_group(group).file));
	for (size_t i = 0; i < nr; i++)
		add_tree(below, names, groups, metrics[i]);
}

static json_object *students(const struct page *page)
{
	json_object *array = json_object_new_array();

	for (size_t i = 1; i <= page->summary.nr && i <= MAX_STUDENTS; i++)
		json_append(array, number_of(summary_student(i), 12));
	return array;
}

static json_object *line_of(const struct page *page, const struct pack_line *line)
{
	const struct summary_cell *cell = summary_at(&page->summary, line->place, line->column);
	json_object *array = json_object_new_array();

	json_append(array, integer(line->place));
	json_append(array, integer(line->column));
	json_append(array, integer(line->whole));
	json_append(array, number_of(line->low, 9));
	json_append(array, number_of(line->step, 3));
	json_append(array, number_of(line->half_step, 3));
	json_append(array, number_of(line->widest, 6));
	json_append(array, cell->covers ?
		    number_of(cell->sum_coverage / (double)cell->covers, 3) : NULL);
	return array;
}

static void add_lines(json_object *object, const struct page *page, const struct pack *pack)
{
	json_object *lines = json_object_new_array();

	for (size_t i = 0; i < pack->nr_lines; i++)
		json_append(lines, line_of(page, &pack->lines[i]));
	json_add(object, "bins", integer(pack->nr_bins));
	json_add(object, "lines", lines);
}

static void add_limits(json_object *object)
{
	json_add(object, "minor", integer(ANSWER_MINOR));
	json_add(object, "margin", integer(ANSWER_MARGIN));
	json_add(object, "retiring", integer(ANSWER_RETIRING));
	json_add(object, "rest", number_of(ANSWER_REST, 9));
	json_add(object, "long", integer(ANSWER_LONG));
	json_add(object, "brief", integer(ANSWER_SHORT));
	json_add(object, "disabled", text_of(ANSWER_DISABLED));
	json_add(object, "max_points", number_of(value_max_points, 9));
	json_add(object, "max_times", number_of(value_max_times, 9));
	json_add(object, "max_rounding", number_of(value_max_rounding, 9));
}

static json_object *about(const struct page *page, const struct pack *pack)
{
	json_object *object = json_object_new_object(), *below = json_object_new_object();
	json_object *names = json_object_new_object(), *groups = json_object_new_object();

	json_add(object, "argument", argument_of(page->file));
	json_add(object, "end", number_of(page_end(page), 12));
	json_add(object, "part", json_object_new_boolean(page_is_part(page)));
	json_add(object, "times", times(page));
	json_add(object, "overlap", integer(page->summary.overlap));
	json_add(object, "students", students(page));
	json_add(object, "places", places(page));
	json_add(object, "main", integer(page->place));
	json_add(object, "columns", columns(page));
	json_add(object, "level1", level_1_names());
	json_add(object, "words", words(page));
	add_tree(below, names, groups, -1);
	json_add(object, "below", below);
	json_add(object, "short", names);
	json_add(object, "group", groups);
	add_limits(object);
	add_lines(object, page, pack);
	return object;
}

/* '<' only occurs in strings, where "<!--<script>" would hide the end of the script. */
static void write_json(FILE *out, const char *json)
{
	for (; *json; json++)
		if (*json == '<')
			fputs("\\u003c", out);
		else
			fputc(*json, out);
}

void page_data(struct page *page)
{
	json_object *object;
	struct pack pack;

	pack_make(&pack, page);
	object = about(page, &pack);
	fputs("<script type=\"application/json\" id=\"data\">", page->out);
	write_json(page->out, json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
	fputs("</script>\n", page->out);
	json_object_put(object);
	pack_write(&pack, page);
	pack_free(&pack);
}
