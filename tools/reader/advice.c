// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Advice on the end of a path through the decision tree, and on findings. */
#include <stdlib.h>
#include <string.h>

#include "advice.h"
#include "lib/memory.h"

#define ALL_COMMANDS	"perf"		/* subject of the notes */

static const struct advice {
	const char *id, *subject, *text;
	enum advice_kind kind;
	enum advice_condition condition;
} advices[] = {
#define ADVICE_ROW(id, subject, kind, condition, text, source) \
	{ #id, #subject, text, ADVICE_##kind, ADVICE_##condition },
#include "advice.def.h"
};

static bool is_of(const struct advice *advice, const char *metric)
{
	return !strcmp(advice->subject, advice->kind == ADVICE_NOTE ? ALL_COMMANDS : metric);
}

/* The first command whose condition holds. */
static const struct advice *find_command(const char *metric, const struct advice_facts *facts)
{
	for (size_t i = 0; i < NR(advices); i++)
		if (advices[i].kind == ADVICE_FIND && is_of(&advices[i], metric) &&
		    (advices[i].condition == ADVICE_ALWAYS || facts->spe))
			return &advices[i];
	return NULL;
}

static bool is_perf(const struct advice *command)
{
	return command && command->condition != ADVICE_SPE;
}

static bool holds(const struct advice *advice, const char *metric,
		  const struct advice_facts *facts)
{
	switch (advice->condition) {
	case ADVICE_SPE:
		return facts->spe;
	case ADVICE_NO_SPE:
		return !facts->spe;
	case ADVICE_SEVERAL_NODES:
		return !facts->one_node;
	case ADVICE_PERF:
		return is_perf(find_command(metric, facts));
	case ADVICE_SIMULATED:
		return facts->simulated;
	default:
		return true;
	}
}

static bool applies(const struct advice *advice, const char *metric,
		    const struct advice_facts *facts)
{
	if (!is_of(advice, metric))
		return false;
	if (advice->kind == ADVICE_FIND)
		return advice == find_command(metric, facts);
	return holds(advice, metric, facts);
}

bool advice_exists(const char *metric)
{
	return find_command(metric, &(struct advice_facts) { .spe = false });
}

char *advice_text(const char *metric, enum advice_kind kind, const struct advice_facts *facts)
{
	char *text = NULL;

	for (size_t i = 0; i < NR(advices); i++)
		if (advices[i].kind == kind && applies(&advices[i], metric, facts))
			append_text(&text, " ", "%s", advices[i].text);
	return text;
}

const char *advice_id(const char *metric, const struct advice_facts *facts, size_t n)
{
	for (size_t i = 0; i < NR(advices); i++)
		if (applies(&advices[i], metric, facts) && !n--)
			return advices[i].id;
	return NULL;
}

const char *advice_fix(const char *id)
{
	for (size_t i = 0; i < NR(advices); i++)
		if (advices[i].kind == ADVICE_FIX && !strcmp(advices[i].id, id))
			return advices[i].text;
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

char *advice_command(const char *metric, const struct advice_facts *facts, const char *pmu,
		     const char *cpus)
{
	const struct advice *command = find_command(metric, facts);
	char *text, *where;

	if (!command)
		return NULL;
	text = xstrdup(command->text);
	if (facts->where) {
		text = replace(text, "WHERE", facts->where);
	} else if (cpus) {
		where = format_string("-C %s", cpus);
		text = replace(text, "WHERE", where);
		free(where);
	} else if (is_perf(command)) {
		/* perf needs an explicit -a for all CPUs. */
		text = replace(text, "WHERE", "-a");
	} else {
		text = replace(text, "WHERE ", "");
	}
	return replace(text, "PMU", facts->simulated ? USUAL_PMU : pmu);
}
