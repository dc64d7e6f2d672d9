// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Writer of baseline files; baseline.h describes the format. */
#include <stdio.h>

#include "baseline.h"
#include "lib/json.h"

static json_object *list_of(char **names)
{
	json_object *list = json_object_new_array();

	for (size_t i = 0; names[i]; i++)
		json_append(list, json_object_new_string(names[i]));
	return list;
}

static json_object *count_of(unsigned long count)
{
	return json_object_new_int64((long long)count);
}

static json_object *number_of(double number)
{
	char text[32];

	snprintf(text, sizeof(text), "%.9g", number);
	return json_object_new_double_s(number, text);
}

static json_object *object_of_metric(const struct baseline_metric *metric)
{
	json_object *object = json_object_new_object(), *of = json_object_new_object();
	char name[8];

	for (int i = 0; i < NR_PERCENTS; i++) {
		snprintf(name, sizeof(name), "p%u", percents[i]);
		if (metric->known[i])
			json_add(of, name, number_of(metric->v[i]));
	}
	json_add(object, "values", count_of(metric->values));
	json_add(object, "independent", count_of(metric->independent));
	json_add(object, "percentiles", of);
	return object;
}

static json_object *object_of_scope(const struct baseline_scope *scope)
{
	json_object *object = json_object_new_object(), *metrics = json_object_new_object();

	for (size_t i = 0; i < scope->nr; i++)
		json_add(metrics, scope->metrics[i].name, object_of_metric(&scope->metrics[i]));
	json_add(object, "places", count_of(scope->places));
	json_add(object, "snapshots", count_of(scope->snapshots));
	json_add(object, "independent", count_of(scope->independent));
	json_add(object, "metrics", metrics);
	return object;
}

static json_object *object_of_baseline(const struct baseline *baseline)
{
	json_object *object = json_object_new_object(), *scopes = json_object_new_object();

	json_add(object, "format", json_object_new_string(BASELINE_FORMAT));
	json_add(object, "version", count_of(BASELINE_VERSION));
	json_add(object, "hosts", list_of(baseline->hosts));
	json_add(object, "kernels", list_of(baseline->kernels));
	json_add(object, "pmus", list_of(baseline->pmus));
	if (baseline->core)
		json_add(object, "core", json_object_new_string(baseline->core));
	json_add(object, "simulated", json_object_new_boolean(baseline->simulated));
	json_add(object, "recordings", count_of(baseline->recordings));
	json_add(object, "window_ms", number_of(1000 * baseline->window));
	for (int i = 0; i < BASELINE_SCOPES; i++)
		if (baseline->scopes[i].places)
			json_add(scopes, baseline_scope_names[i],
				 object_of_scope(&baseline->scopes[i]));
	json_add(object, "scopes", scopes);
	return object;
}

void baseline_write(const struct baseline *baseline, FILE *out)
{
	json_print_pretty(object_of_baseline(baseline), out);
}
