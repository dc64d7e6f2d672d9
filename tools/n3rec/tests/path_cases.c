// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * path_cases NUMBER SEED - random values and errors with the resulting path, and numbers with their
 * text, as JSON, the reference for the page's script. Values are close to each other, so that many
 * differ by exactly their errors, or by one unit more.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/json.h"
#include "libn3telemetry/path.h"
#include "reader/telemetry.h"

#define MAX_METRICS	128
#define ROOM		16

static struct value values[MAX_METRICS];

static const struct value *value_of(const void *data, int metric)
{
	(void)data;
	return &values[metric];
}

static unsigned int below(unsigned int limit)
{
	return (unsigned int)(random() % limit);
}

/* A few units of the fourth decimal, or a fraction to be rounded. */
static double near(double middle)
{
	double number = middle + ((int)below(9) - 4) / 1e4;

	return below(4) ? number : number + ((int)below(5) - 2) / 4e4;
}

static void make_value(struct value *value, double middle)
{
	double half = below(3) ? (double)below(5) / 2e4 : (double)below(100) / 7e4;

	if (below(40) == 0) {
		*value = value_of_text("idle");
		return;
	}
	*value = (struct value) { .is_number = true, .number = near(middle) };
	value->has_coverage = true;
	value->has_range = below(20) != 0;
	value->low = value->number - half;
	value->high = value->number + half;
}

/*
 * Most have one sibling that leads by far. Some are about as large as the unnamed rest of 100 %,
 * and some leave no rest.
 */
static void make_values(int metric)
{
	int metrics[ROOM];
	size_t nr = path_below(metric, metrics, ROOM), large = below(4) ? below(nr + 1) : nr;
	double middle = (int)below(120) - 10;

	/* with "large", they and the rest are equal or nearly so */
	if (nr && below(4) == 0)
		middle = large < nr ? 90.0 / (double)(nr + 1) : 100.0 / (double)(nr + 1);
	for (size_t i = 0; i < nr; i++) {
		make_value(&values[metrics[i]], i == large ? middle + 5 : middle);
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

static void add_values(json_object *numbers, json_object *errors, int metric)
{
	int metrics[ROOM];
	size_t nr = path_below(metric, metrics, ROOM);

	for (size_t i = 0; i < nr; i++) {
		const struct value *value = &values[metrics[i]];
		const char *name = catalog_metric_name(metrics[i]);

		json_add(numbers, name, number_of(value->is_number, value->number));
		json_add(errors, name, number_of(value->has_range, value_error(value)));
		add_values(numbers, errors, metrics[i]);
	}
}

static json_object *loss_of(const struct path_loss *loss)
{
	json_object *object = json_object_new_object();
	double error = loss->share.error;

	json_add(object, "metric", name_of(loss->metric));
	json_add(object, "value", json_object_new_double(loss->share.value));
	json_add(object, "half", number_of(!isnan(error), error));
	json_add(object, "rest", json_object_new_boolean(loss->rest));
	return object;
}

static json_object *make_case(void)
{
	json_object *object = json_object_new_object(), *numbers = json_object_new_object();
	json_object *errors = json_object_new_object(), *metrics = json_object_new_array();
	json_object *losses = json_object_new_array();
	struct path path;

	make_values(-1);
	path_find(&path, value_of, NULL);
	add_values(numbers, errors, -1);
	for (size_t i = 0; i < path.nr; i++)
		json_append(metrics, name_of(path.metrics[i]));
	for (size_t i = 0; i < path.nr_losses; i++)
		json_append(losses, loss_of(&path.losses[i]));
	json_add(object, "values", numbers);
	json_add(object, "errors", errors);
	json_add(object, "path", metrics);
	json_add(object, "losses", losses);
	json_add(object, "mixed", json_object_new_boolean(path.mixed));
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
