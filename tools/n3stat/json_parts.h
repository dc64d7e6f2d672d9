/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* JSON objects that several commands print: values, places, the time. */
#ifndef N3STAT_JSON_PARTS_H
#define N3STAT_JSON_PARTS_H

#include "libn3telemetry/included.h"
#include "libn3telemetry/places.h"
#include "libn3telemetry/values.h"
#include "reader/answer_json.h"

struct json_object;

/* A value and its estimate, with their intervals. */
struct json_object *json_of_value(const struct value *value, const struct value *estimate,
				  const char *unit);
struct json_object *json_of_place(const struct place *place);

/* Adds cpus and included, if known. */
void json_add_included(struct json_object *object, const struct included *included);

/* Object of one round without places: schema, time, simulated, window_ms, core. */
struct json_object *json_of_round(const char *schema, double time);

#endif
