// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Allocation that exits when out of memory. */
#include <stdio.h>
#include <string.h>

#include "errors.h"
#include "memory.h"

/* Return: the array with room for nr elements; never NULL. */
void *xreallocarray(void *array, size_t nr, size_t size)
{
	/* Size 0 would free the array. */
	void *bigger = reallocarray(array, nr ? nr : 1, size);

	if (!bigger)
		out_of_memory();
	return bigger;
}

void *xgrow(void *array, size_t nr, size_t *max, size_t size)
{
	if (nr < *max)
		return array;
	*max = *max ? *max * 2 : 64;
	return xreallocarray(array, *max, size);
}

void *xcalloc(size_t nr, size_t size)
{
	void *array = calloc(nr ? nr : 1, size);

	if (!array)
		out_of_memory();
	return array;
}

char *xstrdup(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		out_of_memory();
	return copy;
}

char *format_args(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0)
		out_of_memory();
	return text;
}

char *format_string(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = format_args(format, args);
	va_end(args);
	return text;
}

void append_text(char **text, const char *separator, const char *format, ...)
{
	char *before = *text, *more;
	va_list args;

	va_start(args, format);
	more = format_args(format, args);
	va_end(args);
	*text = before && *before ? format_string("%s%s%s", before, separator, more) :
				    xstrdup(more);
	free(before);
	free(more);
}
