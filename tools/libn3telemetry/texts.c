// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Descriptions of metrics and words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/memory.h"
#include "texts.h"

static const struct {
	const char *metric;
	const char *text;
} meanings[] = {
#define MEANING(metric, text) { #metric, text },
#include "meanings.def.h"
};

static const struct level levels[] = {
#define LEVEL_OF(metric, usual, large, source) { #metric, usual, large, source },
#include "levels.def.h"
};

static const struct term terms[] = {
#define TERM_TEXT(term, means, see) { #term, means, see },
#include "terms.def.h"
};

static const struct word words[] = {
#define WORD_TEXT(word, means) { #word, means },
#include "words.def.h"
};

const char *text_of_metric(const char *metric)
{
	for (size_t i = 0; i < NR(meanings); i++)
		if (!strcmp(meanings[i].metric, metric))
			return meanings[i].text;
	return NULL;
}

const struct word *text_of_word(const char *word)
{
	for (size_t i = 0; i < NR(words); i++)
		if (!strcasecmp(words[i].word, word))
			return &words[i];
	return NULL;
}

const struct term *term_at(size_t index)
{
	return index < NR(terms) ? &terms[index] : NULL;
}

const struct term *text_of_term(const char *term)
{
	for (size_t i = 0; i < NR(terms); i++)
		if (!strcasecmp(terms[i].term, term))
			return &terms[i];
	return NULL;
}

const struct level *level_of_metric(const char *metric)
{
	for (size_t i = 0; i < NR(levels); i++)
		if (!strcmp(levels[i].metric, metric))
			return &levels[i];
	return NULL;
}

double level_much(const char *metric)
{
	const struct level *level = level_of_metric(metric);
	double number;

	return level && level->large && sscanf(level->large, "above %lf", &number) == 1 ?
	       number : NAN;
}
