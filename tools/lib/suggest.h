/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Suggestions for a mistyped word, by edit distance. */
#ifndef LIB_SUGGEST_H
#define LIB_SUGGEST_H

#include <stddef.h>

#define SUGGEST_LENGTH	48	/* longer than any name */

/* Up to two names with the smallest distance to a word so far. */
struct suggestion {
	const char *word;
	const char *names[2];
	size_t nr;
	size_t distance;
	char end[2 * SUGGEST_LENGTH + 24];
};

void suggest_begin(struct suggestion *suggestion, const char *word);
/* The name must stay valid until suggest_end(). Ignores distant names and the word itself. */
void suggest_name(struct suggestion *suggestion, const char *name);

/*
 * Return: "; did you mean ipc or sve?", part of the suggestion, or @otherwise without a similar
 * name.
 */
const char *suggest_end(struct suggestion *suggestion, const char *otherwise);

#endif
