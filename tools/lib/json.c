// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Wrappers of json-c. */
#include <stdio.h>

#include "errors.h"
#include "json.h"

void json_add(json_object *object, const char *key, json_object *value)
{
	if (json_object_object_add(object, key, value))
		out_of_memory();
}

void json_append(json_object *array, json_object *value)
{
	if (json_object_array_add(array, value))
		out_of_memory();
}

void json_print_line(json_object *object)
{
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}

void json_print_pretty(json_object *object, FILE *out)
{
	fputs(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY |
					     JSON_C_TO_STRING_SPACED |
					     JSON_C_TO_STRING_NOSLASHESCAPE), out);
	fputc('\n', out);
	json_object_put(object);
}
