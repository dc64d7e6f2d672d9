/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What several commands print as JSON alike: values, paths, places, the time. */
#ifndef CLI_JSON_PARTS_H
#define CLI_JSON_PARTS_H

#include "libn3telemetry/path.h"
#include "libn3telemetry/places.h"
#include "libn3telemetry/values.h"

struct json_object;

/* Rounded as the module writes it, not as binary numbers print. */
struct json_object *json_decimal(double number, int decimals);
/* A value, its estimate, and the intervals of both. */
struct json_object *json_of_value(const struct value *value, const struct value *estimate,
				  const char *unit);
/* The range of the baseline in use, if there is one, and on which side of it the estimate is. */
void json_add_baseline(struct json_object *object, enum scope scope, const char *metric,
		       const struct value *estimate);
struct json_object *json_of_path(const struct path *path);
struct json_object *json_of_place(const struct place *place);

/* The object of one round, without its places: schema, time, simulated, window_ms, core. */
struct json_object *json_of_round(const char *schema, double time);

/* One object a line; it is freed. */
void json_print_line(struct json_object *object);

#endif
