// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* JSON objects that several commands print: values, places, the time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_parts.h"
#include "lib/json.h"
#include "libn3telemetry/catalog.h"
#include "reader/telemetry.h"

static json_object *string_of(const char *text)
{
	return json_object_new_string(text);
}

/* JSON does not allow leading zeros, which a copy may contain. */
static json_object *number_of(const struct value *value)
{
	const char *digits = value->text + (value->text[0] == '-');

	if (digits[0] == '0' && digits[1] && digits[1] != '.')
		return json_object_new_double(value->number);
	return json_object_new_double_s(value->number, value->text);
}

static void add_range(json_object *object, const struct value *value, const char *low,
		      const char *high)
{
	if (!value->has_range || value->is_margin)
		return;
	json_add(object, low, json_decimal(value->low, 6));
	json_add(object, high, json_decimal(value->high, 6));
}

json_object *json_of_value(const struct value *value, const struct value *estimate,
			   const char *unit)
{
	json_object *object = json_object_new_object();

	json_add(object, "value", value->is_number ? number_of(value) : NULL);
	if (!value->is_number)
		json_add(object, "word", string_of(value->text));
	if (*unit)
		json_add(object, "unit", string_of(unit));
	add_range(object, value, "low", "high");
	json_add(object, "estimate", estimate->is_number ? number_of(estimate) : NULL);
	add_range(object, estimate, "estimate_low", "estimate_high");
	if (value->has_coverage) {
		json_add(object, "coverage", json_decimal(value->coverage, 2));
		json_add(object, "slices", json_object_new_int64((long long)value->slices));
	}
	return object;
}

json_object *json_of_place(const struct place *place)
{
	json_object *object = json_object_new_object();

	json_add(object, "place", string_of(place->name));
	json_add(object, "kind", string_of(scope_names[place->scope]));
	if (place->scope != SCOPE_SYSTEM)
		json_add(object, "id", json_object_new_int64(place->id));
	return object;
}

void json_add_included(json_object *object, const struct included *included)
{
	if (!included->known)
		return;
	json_add(object, "cpus", json_object_new_int64((long long)included->cpus));
	json_add(object, "included", json_object_new_int64((long long)included->nr));
}

static void add_window(json_object *object)
{
	const char *text = telemetry_read("window_ms");
	char *end;
	long ms;

	if (!text)
		return;
	ms = strtol(text, &end, 10);
	if (end != text && (*end == '\n' || !*end))
		json_add(object, "window_ms", json_object_new_int64(ms));
}

json_object *json_of_round(const char *schema, double time)
{
	json_object *object = json_object_new_object();

	json_add(object, "schema", string_of(schema));
	json_add(object, "time", json_decimal(time, 3));
	json_add(object, "simulated", json_object_new_boolean(telemetry_is_simulated()));
	add_window(object);
	if (telemetry_other_core())
		json_add(object, "core", string_of(telemetry_other_core()));
	return object;
}
