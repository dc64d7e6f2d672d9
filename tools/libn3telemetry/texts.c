// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Descriptions of metrics and words. */
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

static const struct word words[] = {
#define WORD_TEXT(word, means, helps) { #word, means, helps },
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
