// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The answer as JSON. */
#include <math.h>
#include <stdio.h>

#include "answer_json.h"
#include "lib/json.h"
#include "libn3telemetry/catalog.h"

static json_object *string_of(const char *text)
{
	return json_object_new_string(text);
}

/* Decimal form as written by the module, without binary rounding. */
json_object *json_decimal(double number, int decimals)
{
	char text[400];

	snprintf(text, sizeof(text), "%.*f", decimals, number);
	return json_object_new_double_s(number, text);
}

json_object *json_of_groups(int metric)
{
	json_object *array = json_object_new_array();
	int groups[PATH_MAX_NEXT];
	size_t nr = path_groups(metric, groups);

	for (size_t i = 0; i < nr; i++)
		json_append(array, string_of(catalog_group(groups[i]).file));
	return array;
}

static json_object *number_or_null(double number)
{
	return isnan(number) ? NULL : json_decimal(number, 4);
}

void json_add_share(json_object *object, int metric, const struct path_share *share)
{
	json_add(object, "share", number_or_null(share->value));
	json_add(object, "share_error", number_or_null(share->error));
	json_add(object, "approximate", json_object_new_boolean(path_is_approximate(metric)));
}

static json_object *object_of_end(const struct answer_end *end)
{
	json_object *object = json_object_new_object();

	json_add(object, "metric", string_of(catalog_metric_name(end->metric)));
	json_add_share(object, end->metric, &end->share);
	json_add(object, "rest", json_object_new_boolean(end->rest));
	return object;
}

static json_object *losses_of(const struct answer *answer)
{
	json_object *losses = json_object_new_array();

	for (size_t i = 0; i < answer->nr_losses; i++) {
		json_object *object = object_of_end(&answer->losses[i]);

		json_add(object, "look_at", json_of_groups(answer->losses[i].metric));
		json_append(losses, object);
	}
	return losses;
}

/* Those of the area; of mixed areas the largest of each. */
static json_object *causes_of(const struct answer *answer)
{
	json_object *causes = json_object_new_array();

	for (size_t i = 0; i < answer->nr; i++) {
		const struct answer_area *area = &answer->areas[i];

		for (size_t k = 0; k < area->nr_causes && (answer->nr == 1 || !k); k++) {
			json_object *object = object_of_end(&area->causes[k]);

			json_add(object, "area", string_of(catalog_metric_name(area->metric)));
			json_append(causes, object);
		}
	}
	return causes;
}

static json_object *object_of_answer(const struct answer *answer)
{
	const struct answer_area *first = answer->nr ? answer->areas : NULL;
	json_object *object = json_object_new_object(), *areas = json_object_new_array();
	char text[ANSWER_LONG];

	answer_long(text, answer);
	for (size_t i = 0; i < answer->nr; i++)
		json_append(areas, string_of(catalog_metric_name(answer->areas[i].metric)));
	json_add(object, "areas", areas);
	json_add(object, "share", number_or_null(first ? first->share.value : NAN));
	json_add(object, "error", number_or_null(first ? first->share.error : NAN));
	json_add(object, "causes", causes_of(answer));
	json_add(object, "spread", json_object_new_boolean(answer->nr == 1 && first->spread));
	json_add(object, "rest",
		 number_or_null(answer->nr == 1 && first->rest ? first->rest : NAN));
	json_add(object, "text", string_of(text));
	return object;
}

void json_add_answer(json_object *object, const struct answer *answer)
{
	json_add(object, "answer", object_of_answer(answer));
	json_add(object, "losses", losses_of(answer));
}
