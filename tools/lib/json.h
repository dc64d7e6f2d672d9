/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Wrappers of json-c. */
#ifndef LIB_JSON_H
#define LIB_JSON_H

#include <json-c/json.h>
#include <stdio.h>

/* Both exit when out of memory. */
void json_add(struct json_object *object, const char *key, struct json_object *value);
void json_append(struct json_object *array, struct json_object *value);

/* Both release the object. */
void json_print_line(struct json_object *object);
void json_print_pretty(struct json_object *object, FILE *out);

#endif
