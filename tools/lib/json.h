/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What json-c leaves to its caller: to notice that there is no memory. */
#ifndef LIB_JSON_H
#define LIB_JSON_H

#include <json-c/json.h>

void json_add(struct json_object *object, const char *key, struct json_object *value);
void json_append(struct json_object *array, struct json_object *value);

#endif
