/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* JSON objects that several commands print: values, answers, places, the time. */
#ifndef N3STAT_JSON_PARTS_H
#define N3STAT_JSON_PARTS_H

#include "libn3telemetry/included.h"
#include "libn3telemetry/answer.h"
#include "libn3telemetry/places.h"
#include "libn3telemetry/values.h"

struct json_object;

/* Decimal form as written by the module, without binary rounding. */
struct json_object *json_decimal(double number, int decimals);
/* A value and its estimate, with their intervals. */
struct json_object *json_of_value(const struct value *value, const struct value *estimate,
				  const char *unit);
/* Adds share, share_error, approximate. */
void json_add_share(struct json_object *object, int metric, const struct path_share *share);
/* The files of the groups to look at for a metric. */
struct json_object *json_of_groups(int metric);
/* Adds answer and losses. */
void json_add_answer(struct json_object *object, const struct answer *answer);
struct json_object *json_of_place(const struct place *place);

/* Adds cpus and included, if known. */
void json_add_included(struct json_object *object, const struct included *included);

/* Object of one round without places: schema, time, simulated, window_ms, core. */
struct json_object *json_of_round(const char *schema, double time);

#endif
