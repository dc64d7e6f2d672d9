// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Suggestions for a mistyped word, by edit distance. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "catalog.h"
#include "lib/memory.h"
#include "suggest.h"
#include "texts.h"

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

void suggest_begin(struct suggestion *suggestion, const char *word)
{
	*suggestion = (struct suggestion) {
		.word = word,
		.distance = strlen(word) / LETTERS_PER_EDIT,
	};
}

void suggest_name(struct suggestion *suggestion, const char *name)
{
	size_t distance;

	if (strlen(suggestion->word) > SUGGEST_LENGTH || strlen(name) > SUGGEST_LENGTH)
		return;
	distance = edits(suggestion->word, name);
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

void suggest_metrics(struct suggestion *suggestion)
{
	for (int i = 0; i < catalog_nr_metrics(); i++) {
		suggest_name(suggestion, catalog_metric_name(i));
		suggest_name(suggestion, catalog_brief_name(i));
	}
}

void suggest_groups(struct suggestion *suggestion)
{
	for (int i = 0; i < catalog_nr_groups(); i++)
		suggest_name(suggestion, catalog_group(i).file);
}

void suggest_events(struct suggestion *suggestion)
{
	for (int i = 0; i < catalog_nr_events(); i++) {
		struct catalog_event event = catalog_event(i);

		suggest_name(suggestion, event.name);
		if (event.later)
			suggest_name(suggestion, event.later);
	}
}

void suggest_words(struct suggestion *suggestion)
{
	const char *word;

	for (size_t i = 0; (word = catalog_word(i)); i++)
		suggest_name(suggestion, word);
}

void suggest_terms(struct suggestion *suggestion)
{
	const struct term *term;

	for (size_t i = 0; (term = term_at(i)); i++)
		suggest_name(suggestion, term->term);
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
