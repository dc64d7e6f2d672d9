/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Allocation that exits when out of memory. */
#ifndef LIB_MEMORY_H
#define LIB_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

#include "errors.h"

#define NR(array)		(sizeof(array) / sizeof((array)[0]))

void *xreallocarray(void *array, size_t nr, size_t size);
/*
 * Makes room for another element of an array with @nr of at most *max elements. From 0 on, *max is
 * a power of 2.
 */
void *xgrow(void *array, size_t nr, size_t *max, size_t size);
void *xcalloc(size_t nr, size_t size);
char *xstrdup(const char *text);
char *__printf(1, 0) format_args(const char *format, va_list args);
char *__printf(1, 2) format_string(const char *format, ...);
/* Appends to *text, which may be NULL, after a separator unless it is empty. */
void __printf(3, 4) append_text(char **text, const char *separator, const char *format, ...);

#endif
