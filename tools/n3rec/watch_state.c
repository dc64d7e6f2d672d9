// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Watched condition: its parser, and its state at each place. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/errors.h"
#include "cli/options.h"
#include "lib/memory.h"
#include "percentile.h"
#include "watch_state.h"

#define EXAMPLE		"write it as 'backend_bound > 60'"
#define OPERATORS	"<>=!~"
#define CLOSE_ENOUGH	0.99	/* tolerance for the timing of snapshots */

static char *join(char **words, size_t nr)
{
	char *text = NULL;

	for (size_t i = 0; i < nr; i++)
		append_text(&text, " ", "%s", words[i]);
	return text ? text : xstrdup("");
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

/* Whether the whole 95 % interval lies beyond the bound; false without one. */
static bool holds_now(const struct watch_condition *condition, const struct value *estimate,
		      double bound)
{
	if (!estimate->is_number || !estimate->has_range)
		return false;
	return condition->above ? estimate->low > bound : estimate->high < bound;
}

const char *watch_state_name(const struct watch_state *state, const struct watch_place *place)
{
	return state->choice.places.v[place - state->places].name;
}

static void take_place(struct watch_state *state, struct watch_place *place, double now)
{
	bool holds = holds_now(&state->condition, place->estimate, place->bound);

	if (holds == place->holds)
		return;
	place->holds = holds;
	place->since = now;
	if (state->changed)
		state->changed(state, place);
}

void watch_state_take(struct watch_state *state, double now)
{
	for (size_t i = 0; i < state->choice.places.nr; i++) {
		state->places[i].estimate = snapshot_estimate_at(&state->snapshot, &state->choice,
								 i, 0);
		take_place(state, &state->places[i], now);
	}
}

/* Distance of the interval's near end beyond the bound. */
static double distance(const struct watch_state *state, const struct watch_place *place)
{
	return state->condition.above ? place->estimate->low - place->bound :
					place->bound - place->estimate->high;
}

const struct watch_place *watch_state_due(struct watch_state *state, double now)
{
	const struct watch_place *due = NULL;

	for (size_t i = 0; i < state->choice.places.nr; i++) {
		struct watch_place *place = &state->places[i];

		place->due = place->holds &&
			     now - place->since >= CLOSE_ENOUGH * state->time_to_hold;
		if (!place->due)
			continue;
		if (!due || distance(state, place) > distance(state, due))
			due = place;
	}
	return due;
}

/* Return: the names of all due places, separated by blanks. */
static char *due_names(const struct watch_state *state)
{
	char *names = xstrdup("");

	for (size_t i = 0; i < state->choice.places.nr; i++)
		if (state->places[i].due)
			append_text(&names, " ", "%s",
				    watch_state_name(state, &state->places[i]));
	return names;
}

void watch_state_queue(struct watch_state *state, const struct watch_place *one)
{
	free(state->due);
	state->due = due_names(state);
	for (size_t i = 0; i < state->choice.places.nr; i++) {
		struct watch_place *place = &state->places[i];

		place->queued = one ? place == one : place->due;
		place->seen = *place->estimate;
	}
}

const struct watch_place *watch_state_next(struct watch_state *state)
{
	for (size_t i = 0; i < state->choice.places.nr; i++) {
		if (!state->places[i].queued)
			continue;
		state->places[i].queued = false;
		return &state->places[i];
	}
	return NULL;
}

void watch_state_free(struct watch_state *state)
{
	free(state->due);
	free(state->places);
	snapshot_free(&state->snapshot);
	choice_free(&state->choice);
}
