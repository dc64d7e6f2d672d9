/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Wrappers of json-c that exit when out of memory. */
#ifndef LIB_JSON_H
#define LIB_JSON_H

#include <json-c/json.h>

void json_add(struct json_object *object, const char *key, struct json_object *value);
void json_append(struct json_object *array, struct json_object *value);

#endif
