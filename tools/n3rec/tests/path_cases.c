// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * path_cases NUMBER SEED - random values and errors with the resulting answer, and numbers with
 * their text, as JSON, the reference for the page's script. Values are multiples of 1/4 and close
 * to each other, so that many differ by exactly their errors or the margin.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/json.h"
#include "libn3telemetry/answer.h"
#include "reader/telemetry.h"

#define MAX_METRICS	128
#define ROOM		16

static struct value values[MAX_METRICS];
/* of all values of a case: makes them inexact */
static double offset;

static const struct value *value_of(const void *data, int metric)
{
	(void)data;
	return &values[metric];
}

static unsigned int below(unsigned int limit)
{
	return (unsigned int)(random() % limit);
}

static void make_value(struct value *value, double middle, bool word)
{
	double half = below(3) ? below(6) / 4.0 : below(2) / 4.0;

	if (word || below(40) == 0) {
		*value = value_of_text(below(2) ? "idle" : "disabled");
		return;
	}
	*value = (struct value) { .is_number = true };
	value->number = floor(4 * middle) / 4 + ((int)below(17) - 8) / 4.0 + offset;
	value->has_coverage = true;
	value->has_range = below(20) != 0;
	value->low = value->number - half;
	value->high = value->number + half;
}

/*
 * Most have one sibling that leads by far. Some are about as large as the unnamed rest of 100 %,
 * and some leave no rest. Those below some metrics are words.
 */
static void make_values(int metric)
{
	int metrics[ROOM];
	size_t nr = path_below(metric, metrics, ROOM), large = below(4) ? below(nr + 1) : nr;
	double middle = (int)below(120) - 10;
	bool words = metric >= 0 && below(10) == 0;

	/* with "large", they and the rest are equal or nearly so */
	if (nr && below(4) == 0)
		middle = large < nr ? 90.0 / (double)(nr + 1) : 100.0 / (double)(nr + 1);
	for (size_t i = 0; i < nr; i++) {
		make_value(&values[metrics[i]], i == large ? middle + 5 : middle, words);
		make_values(metrics[i]);
	}
}

static json_object *name_of(int metric)
{
	return json_object_new_string(catalog_metric_name(metric));
}

static json_object *number_of(bool known, double number)
{
	return known ? json_object_new_double(number) : NULL;
}

static void add_values(json_object *numbers, json_object *errors, json_object *words, int metric)
{
	int metrics[ROOM];
	size_t nr = path_below(metric, metrics, ROOM);

	for (size_t i = 0; i < nr; i++) {
		const struct value *value = &values[metrics[i]];
		const char *name = catalog_metric_name(metrics[i]);

		if (value->is_number) {
			json_add(numbers, name, number_of(true, value->number));
			json_add(errors, name, number_of(value->has_range, value_error(value)));
		} else {
			json_add(words, name, json_object_new_string(value->text));
		}
		add_values(numbers, errors, words, metrics[i]);
	}
}

static json_object *end_of(const struct answer_end *end)
{
	json_object *object = json_object_new_object();

	json_add(object, "metric", name_of(end->metric));
	json_add(object, "rest", json_object_new_boolean(end->rest));
	json_add(object, "value", json_object_new_double(end->share.value));
	json_add(object, "error", number_of(!isnan(end->share.error), end->share.error));
	return object;
}

static json_object *ends_of(const struct answer_end ends[], size_t nr)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < nr; i++)
		json_append(array, end_of(&ends[i]));
	return array;
}

static json_object *area_of(const struct answer_area *area)
{
	json_object *object = json_object_new_object();

	json_add(object, "metric", name_of(area->metric));
	json_add(object, "value", json_object_new_double(area->share.value));
	json_add(object, "error", number_of(!isnan(area->share.error), area->share.error));
	json_add(object, "causes", ends_of(area->causes, area->nr_causes));
	json_add(object, "spread", json_object_new_boolean(area->spread));
	json_add(object, "rest", json_object_new_double(area->rest));
	json_add(object, "word", area->word ? json_object_new_string(area->word) : NULL);
	return object;
}

static json_object *make_case(void)
{
	json_object *object = json_object_new_object(), *numbers = json_object_new_object();
	json_object *errors = json_object_new_object(), *words = json_object_new_object();
	json_object *areas = json_object_new_array();
	struct answer answer;
	char text[ANSWER_LONG], brief[ANSWER_SHORT];

	offset = below(3) * 0.03;
	make_values(-1);
	answer_find(&answer, value_of, NULL);
	answer_long(text, &answer);
	answer_short(brief, &answer);
	add_values(numbers, errors, words, -1);
	for (size_t i = 0; i < answer.nr; i++)
		json_append(areas, area_of(&answer.areas[i]));
	json_add(object, "values", numbers);
	json_add(object, "errors", errors);
	json_add(object, "words", words);
	json_add(object, "areas", areas);
	json_add(object, "losses", ends_of(answer.losses, answer.nr_losses));
	json_add(object, "word", answer.word ? json_object_new_string(answer.word) : NULL);
	json_add(object, "text", json_object_new_string(text));
	json_add(object, "brief", json_object_new_string(brief));
	return object;
}

/* Of any size; some are halves of a last digit. */
static double any_number(void)
{
	if (below(8) == 0)
		return (double)(2 * below(1000) + 1) / (1 << (1 + below(4)));
	return (1 + (double)below(9000000) / 999983) * pow(10, (int)below(10) - 6);
}

static json_object *number_case(void)
{
	json_object *object = json_object_new_object();
	double number = below(8) ? any_number() : -any_number(), error = any_number();
	int most = (int)below(5);
	struct number_text text;

	/* exact powers of ten are the limits */
	if (below(8) == 0)
		error = below(2) ? pow(10, (int)below(8) - 5) : 0;
	else if (below(8) == 0)
		error = NAN;
	text = number_text(number, error, most);
	json_add(object, "number", json_object_new_double(number));
	json_add(object, "error", number_of(!isnan(error), error));
	json_add(object, "most", json_object_new_int(most));
	json_add(object, "text", json_object_new_string(text.number));
	json_add(object, "error_text", json_object_new_string(text.error));
	return object;
}

int main(int argc, char **argv)
{
	unsigned long nr = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
	json_object *cases = json_object_new_array(), *numbers = json_object_new_array();
	json_object *object = json_object_new_object();

	telemetry_start();
	srandom(argc > 2 ? (unsigned int)strtoul(argv[2], NULL, 10) : 1);
	while (nr-- > 0) {
		json_append(cases, make_case());
		json_append(numbers, number_case());
	}
	json_add(object, "cases", cases);
	json_add(object, "numbers", numbers);
	json_print_line(object);
	return 0;
}
