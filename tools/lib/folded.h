/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Text folded to the width of a screen. */
#ifndef LIB_FOLDED_H
#define LIB_FOLDED_H

#include <stdio.h>

/* Prints a text in lines of a width, the first behind first, the rest behind indent. */
void print_folded(FILE *out, const char *first, const char *indent, const char *text,
		  size_t width);

/*
 * Prints the command in one line, to be copied: behind first if both fit the width,
 * else in a line of its own behind indent, or from the edge if it needs that.
 */
void print_command(FILE *out, const char *first, const char *indent, const char *command,
		   size_t width);

#endif
