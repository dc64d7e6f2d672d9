/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Text for terminals and shells. */
#ifndef LIB_TEXT_H
#define LIB_TEXT_H

#include <stdio.h>

/* plain_text() of a copy, which the caller frees. */
char *plain_copy(const char *text);

/* Return: @one if nr is 1, otherwise @other. */
const char *plural(unsigned long nr, const char *one, const char *other);

/*
 * Quotes the text if the shell requires it. The caller frees the result. shell_quote() returns NULL
 * if out of memory.
 */
char *shell_quote(const char *text);
char *shell_word(const char *text);

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
