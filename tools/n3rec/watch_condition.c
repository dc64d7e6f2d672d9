// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Watched condition: METRIC > BOUND or METRIC < BOUND. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/percentile.h"
#include "lib/util.h"
#include "libn3telemetry/errors.h"
#include "watch_condition.h"

#define EXAMPLE		"write it as 'backend_bound > 60'"
#define OPERATORS	"<>=!~"

static char *join(char **words, size_t nr)
{
	char *text = xstrdup(""), *longer;

	for (size_t i = 0; i < nr; i++) {
		longer = format_string("%s%s%s", text, i ? " " : "", words[i]);
		free(text);
		text = longer;
	}
	return text;
}

/* Return: the text after blanks. */
static const char *skip_blanks(const char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	return text;
}

/* Return: the length of a word, up to a blank or an operator. */
static size_t word_length(const char *text)
{
	return strcspn(text, " \t\n" OPERATORS);
}

static const char *take_metric(struct watch_condition *condition, const char *text)
{
	size_t len;

	text = skip_blanks(text);
	len = word_length(text);
	if (!len)
		die(ERR_BAD_CONDITION, "no metric in the condition '%s'; " EXAMPLE, text);
	if (len >= sizeof(condition->metric))
		die(ERR_UNKNOWN_METRIC,
		    "no metric '%.*s': see n3stat list metrics", (int)len, text);
	memcpy(condition->metric, text, len);
	condition->metric[len] = '\0';
	return text + len;
}

static void __noreturn die_without_bound(const struct watch_condition *condition)
{
	die(ERR_BAD_CONDITION, "no bound for '%s'; " EXAMPLE, condition->metric);
}

static const char *take_operator(struct watch_condition *condition, const char *text)
{
	size_t len;

	text = skip_blanks(text);
	if (!*text)
		die_without_bound(condition);
	len = strspn(text, OPERATORS);
	if (len != 1 || (*text != '<' && *text != '>'))
		die(ERR_BAD_CONDITION, "unknown operator '%.*s'; write < or >",
		    (int)(len ? len : word_length(text)), text);
	condition->above = *text == '>';
	return text + len;
}

static const char *take_bound(struct watch_condition *condition, const char *text)
{
	struct value value;
	size_t len;

	text = skip_blanks(text);
	if (!*text)
		die_without_bound(condition);
	len = strcspn(text, " \t\n");
	value = value_of_text("");
	if (len < sizeof(condition->text)) {
		memcpy(condition->text, text, len);
		value = value_of_text(condition->text);
	}
	condition->number = value.number;
	condition->percentile = value.is_number ? -1 : percentile_parse(condition->text);
	if (!value.is_number && condition->percentile < 0)
		die(ERR_BAD_CONDITION,
		    "bad bound '%.*s'; write a number, or p95 for that of a baseline", (int)len,
		    text);
	return skip_blanks(text + len);
}

void watch_condition_parse(struct watch_condition *condition, char **words, size_t nr)
{
	char *text = join(words, nr);
	const char *rest;

	*condition = (struct watch_condition) { 0 };
	rest = take_metric(condition, text);
	rest = take_operator(condition, rest);
	rest = take_bound(condition, rest);
	if (*rest)
		condition->interval = options_seconds("interval", rest);
	free(text);
}

bool watch_condition_holds(const struct watch_condition *condition, const struct value *estimate,
			   double bound)
{
	if (!estimate->is_number || !estimate->has_range)
		return false;
	return condition->above ? estimate->low > bound : estimate->high < bound;
}
