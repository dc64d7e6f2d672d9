// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Wrappers of json-c that exit when out of memory. */
#include "json.h"
#include "util.h"

void json_add(json_object *object, const char *key, json_object *value)
{
	if (json_object_object_add(object, key, value))
		die(ERR_OUT_OF_MEMORY, "out of memory");
}

void json_append(json_object *array, json_object *value)
{
	if (json_object_array_add(array, value))
		die(ERR_OUT_OF_MEMORY, "out of memory");
}
