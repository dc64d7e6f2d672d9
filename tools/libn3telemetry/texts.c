// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Descriptions of metrics and words, and advice. */
#include <stdlib.h>
#include <string.h>

#include "lib/util.h"
#include "texts.h"

static const struct {
	const char *metric;
	const char *text;
} meanings[] = {
#define MEANING(metric, text) { #metric, text },
#include "meanings.def.h"
};

static const struct advice advices[] = {
#define ADVICE_FOR(metric, means, look, command) { #metric, means, look, command, NULL },
#define ADVICE_BY_SPE(metric, means, look, command, spe) { #metric, means, look, command, spe },
#include "advice.def.h"
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

const struct advice *advice_for(const char *metric)
{
	for (size_t i = 0; i < NR(advices); i++)
		if (!strcmp(advices[i].metric, metric))
			return &advices[i];
	return NULL;
}

const struct word *text_of_word(const char *word)
{
	for (size_t i = 0; i < NR(words); i++)
		if (!strcasecmp(words[i].word, word))
			return &words[i];
	return NULL;
}

/* Replaces the first occurrence of a word in text, which is freed. */
static char *replace(char *text, const char *word, const char *by)
{
	char *at = strstr(text, word);
	char *new;

	if (!at)
		return text;
	new = format_string("%.*s%s%s", (int)(at - text), text, by, at + strlen(word));
	free(text);
	return new;
}

char *advice_command(const struct advice *advice, const char *pmu, const char *cpus, bool spe)
{
	char *text = xstrdup(spe && advice->spe ? advice->spe : advice->command);
	/* perf needs an explicit -a for all CPUs. */
	char *where = !cpus ? xstrdup(spe && advice->spe ? "" : "-a") :
		      format_string(spe && advice->spe ? "-C %s " : "-C %s", cpus);

	text = replace(text, "WHERE", where);
	free(where);
	return replace(text, "PMU", pmu);
}
