// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Descriptions of metrics and words. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "lib/memory.h"
#include "texts.h"

static const struct metric_text metrics[] = {
#define N3T_METRIC(name, brief, unit, formula, ...) { __VA_ARGS__ },
#include "libn3t/n3t_metrics.def.h"
};

static const struct term terms[] = {
#define TERM_TEXT(term, means, see) { #term, means, see },
#include "terms.def.h"
};

static const struct word words[] = {
#define WORD_TEXT(word, means) { #word, means },
#include "words.def.h"
};

const struct metric_text *text_of_metric(int metric)
{
	return &metrics[metric];
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

double metric_much(int metric)
{
	const char *large = metrics[metric].large;
	double number;

	return large && sscanf(large, "above %lf", &number) == 1 ? number : NAN;
}
