/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The answer as JSON. */
#ifndef READER_ANSWER_JSON_H
#define READER_ANSWER_JSON_H

#include "libn3telemetry/answer.h"

struct json_object;

/* Decimal form as written by the module, without binary rounding. */
struct json_object *json_decimal(double number, int decimals);
/* Adds share, share_error, approximate. */
void json_add_share(struct json_object *object, int metric, const struct path_share *share);
/* The files of the groups to look at for a metric. */
struct json_object *json_of_groups(int metric);
/* Adds answer and losses. */
void json_add_answer(struct json_object *object, const struct answer *answer);

#endif
