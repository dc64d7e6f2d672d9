// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Suggestions for a mistyped word, by edit distance. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "suggest.h"

#define LETTERS_PER_EDIT	3	/* of the word; more edits make another word */

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * Case-insensitive edit distance, with transpositions of adjacent letters ("optimal string
 * alignment").
 */
static size_t edits(const char *a, const char *b)
{
	size_t rows[3][SUGGEST_LENGTH + 1];
	size_t *older = rows[0], *last = rows[1], *row = rows[2], *spare;
	size_t len = strlen(b);

	for (size_t k = 0; k <= len; k++)
		last[k] = k;
	for (size_t i = 0; a[i]; i++) {
		row[0] = i + 1;
		for (size_t k = 0; k < len; k++) {
			row[k + 1] = least(least(last[k + 1], row[k]) + 1,
					   last[k] + !same(a[i], b[k]));
			if (i && k && same(a[i], b[k - 1]) && same(a[i - 1], b[k]))
				row[k + 1] = least(row[k + 1], older[k - 1] + 1);
		}
		spare = older;
		older = last;
		last = row;
		row = spare;
	}
	return last[len];
}

static size_t most_edits(const char *word)
{
	return strlen(word) / LETTERS_PER_EDIT;
}

void suggest_begin(struct suggestion *suggestion, const char *word)
{
	*suggestion = (struct suggestion) {
		.word = word,
		.distance = most_edits(word),
	};
}

void suggest_name(struct suggestion *suggestion, const char *name)
{
	size_t distance;

	if (strlen(suggestion->word) > SUGGEST_LENGTH || strlen(name) > SUGGEST_LENGTH)
		return;
	distance = edits(suggestion->word, name);
	/* The beginning of a name is as near as a word with the most edits. */
	if (!strncasecmp(name, suggestion->word, strlen(suggestion->word)))
		distance = least(distance, most_edits(suggestion->word));
	if (!distance || distance > suggestion->distance)
		return;
	if (distance < suggestion->distance)
		suggestion->nr = 0;
	suggestion->distance = distance;
	for (size_t i = 0; i < suggestion->nr; i++)
		if (!strcasecmp(suggestion->names[i], name))
			return;
	if (suggestion->nr < NR(suggestion->names))
		suggestion->names[suggestion->nr++] = name;
}

const char *suggest_end(struct suggestion *suggestion, const char *otherwise)
{
	if (!suggestion->nr)
		return otherwise;
	snprintf(suggestion->end, sizeof(suggestion->end), "; did you mean %s%s%s?",
		 suggestion->names[0], suggestion->nr > 1 ? " or " : "",
		 suggestion->nr > 1 ? suggestion->names[1] : "");
	return suggestion->end;
}
