/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Text folded to the width of a screen. */
#ifndef LIB_FOLDED_H
#define LIB_FOLDED_H

#include <stdio.h>

/* Prints a text in lines of @width, prefixed by @first and then by @indent. */
void print_folded(FILE *out, const char *first, const char *indent, const char *text,
		  size_t width);

/*
 * Prints a command in one line, to be copied: after @first if both fit the width, otherwise
 * in a line of its own, with @indent if that fits.
 */
void print_command(FILE *out, const char *first, const char *indent, const char *command,
		   size_t width);

#endif
