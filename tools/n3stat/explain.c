// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat explain: descriptions of metrics, groups and events. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "lib/arguments.h"
#include "lib/memory.h"
#include "lib/suggest.h"
#include "lib/terminal.h"
#include "lib/text.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/path.h"
#include "libn3telemetry/texts.h"
#include "reader/advice.h"
#include "reader/errors.h"
#include "reader/notices.h"
#include "reader/options.h"
#include "reader/spe_usable.h"

#define WIDTH		80
#define DECIMAL		"0123456789"
#define HEX		DECIMAL "abcdefABCDEF"
#define MAX_DIGITS	8

static const char doc[] =
	"Explain a METRIC, also by its short name (L2D): its unit, formula (as in the specification), "
	"meaning, position in the decision tree, and values that are usual or large. Also explains a GROUP, an EVENT by name or code (0x17, or perf's "
	"r17), a WORD printed instead of a number, such as inconsistent, and a TERM, such as "
	"slots, window, yield, withdrawn, verdict, slots_error and user_access."
	"\vWorks without the module. n3stat list prints all names.";

struct explain_options {
	const char *names[512];
	size_t nr;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct explain_options *options = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (options->nr == NR(options->names))
			die(ERR_TOO_MANY_ARGUMENTS, "too many arguments: '%s'", arg);
		options->names[options->nr++] = arg;
		return 0;
	case ARGP_KEY_NO_ARGS:
		die(ERR_MISSING_ARGUMENT, "missing name; n3stat list prints all names");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void print_groups_of(int metric)
{
	const char *comma = "";

	printf("groups: ");
	for (int i = 0; i < catalog_nr_groups(); i++) {
		if (!catalog_has_member(i, metric))
			continue;
		printf("%s%s", comma, catalog_group(i).name);
		comma = ", ";
	}
	putchar('\n');
}

static void print_events_of(const struct catalog_metric *metric)
{
	printf("events: ");
	for (size_t i = 0; i < metric->nr_events; i++) {
		struct catalog_event event = catalog_event(metric->events[i]);

		printf("%s%s (0x%04x)", i ? ", " : "", event.name, event.code);
	}
	putchar('\n');
}

/* The command that adds an extra group to those of the specification. */
static void print_choosing(const char *lead, int group)
{
	char *command = groups_command("", &group, 1);

	print_command(stdout, lead, "  ", command, screen_width(WIDTH));
	free(command);
}

/* Prints the metric's position in the tree and the metrics below it. */
static void print_path(int metric)
{
	struct path_next next[PATH_MAX_NEXT];
	int metrics[PATH_DEPTH];
	int cause_of = path_cause_of(metric);
	size_t nr = path_to(cause_of < 0 ? metric : cause_of, metrics);
	size_t nr_next = path_next(metric, next);

	if (cause_of >= 0)
		metrics[nr++] = metric;
	for (size_t i = 0; i < nr; i++)
		printf("%s%s%s", i ? " > " : "path:   ", catalog_metric_name(metrics[i]),
		       i + 1 == nr ? "\n" : "");
	printf("next:   ");
	for (size_t i = 0; i < nr_next; i++)
		printf("%s%s", i ? ", " : "",
		       next[i].metric >= 0 ? catalog_metric_name(next[i].metric) :
		       catalog_group(next[i].group).name);
	printf("%s\n", nr_next ? "" : nr ? "nothing: the tree ends here" :
	       "nothing: it is not in the tree");
	if (path_causes(metric) >= 0)
		print_choosing("causes: ", path_causes(metric));
}

static void print_advice(const char *lead, const char *metric, enum advice_kind kind,
			 const struct advice_facts *facts)
{
	char *text = advice_text(metric, kind, facts);

	if (text)
		print_folded(stdout, lead, "        ", text, WIDTH);
	free(text);
}

static void print_level(const struct metric_text *text)
{
	static const char none[] = "no value was published";

	if (!text->usual && !text->large) {
		print_folded(stdout, "usual:  no value was published: ", "        ", text->source,
			     WIDTH);
		return;
	}
	print_folded(stdout, "usual:  ", "        ", text->usual ? text->usual : none, WIDTH);
	print_folded(stdout, "much:   ", "        ", text->large ? text->large : none, WIDTH);
	print_folded(stdout, "source: ", "        ", text->source, WIDTH);
}

static void explain_metric(int number)
{
	struct catalog_metric metric = catalog_metric(number);
	struct advice_facts facts = { .spe = spe_is_here() };
	char *text;

	printf("metric: %s%s\n", metric.name,
	       metric.specified ? "" : " (extra: not in the specification)");
	printf("short name: %s\nunit: %s\n", catalog_short_name(number), metric.unit);
	printf("formula: %s\n", metric.formula);
	print_groups_of(number);
	print_events_of(&metric);
	print_folded(stdout, "means:  ", "        ", text_of_metric(number)->means, WIDTH);
	print_path(number);
	print_level(text_of_metric(number));
	if (!advice_exists(metric.name))
		return;
	print_advice("if this is the cause: ", metric.name, ADVICE_MEANS, &facts);
	print_advice("look at: ", metric.name, ADVICE_LOOK, &facts);
	text = advice_command(metric.name, &facts, USUAL_PMU, NULL);
	print_command(stdout, "find it: ", "  ", text, screen_width(WIDTH));
	free(text);
	print_advice("note:   ", metric.name, ADVICE_NOTE, &facts);
}

static void explain_group(int number)
{
	struct catalog_group group = catalog_group(number);

	printf("group: %s\ntitle: %s\nfile: %s\n", group.name, group.title, group.file);
	if (group.stage)
		printf("stage: %u\n", group.stage);
	else
		printf("stage: none (extra: not in the specification)\n");
	print_folded(stdout, "purpose: ", "        ", group.purpose, WIDTH);
	if (!group.stage)
		print_choosing("choose: ", number);
	for (size_t i = 0; i < group.nr_members; i++) {
		struct catalog_metric metric = catalog_metric(catalog_member(number, i));

		printf("  %-33s  %s\n", metric.name, metric.formula);
	}
}

static void explain_event(int number)
{
	struct catalog_event event = catalog_event(number);

	printf("event: %s\ncode: 0x%04x\n", event.name, event.code);
	if (event.later)
		printf("later name: %s\n", event.later);
	printf("functional group: %s\nclass: %s\n", event.functional, event.class);
	printf("counted: %s\n", event.countable ? "by any programmable counter" :
						  "not alone");
	for (int i = 0; i < catalog_nr_metrics(); i++) {
		struct catalog_metric metric = catalog_metric(i);

		for (size_t k = 0; k < metric.nr_events; k++)
			if (metric.events[k] == number)
				printf("  %-33s  %s\n", metric.name, metric.formula);
	}
}

static void explain_word(const struct word *word)
{
	char *id = format_string("word_%s", word->word);

	printf("word: %s\n", word->word);
	print_folded(stdout, "means:  ", "        ", word->means, WIDTH);
	print_folded(stdout, "helps:  ", "        ", advice_fix(id), WIDTH);
	free(id);
}

static void explain_term(const struct term *term)
{
	printf("term: %s\n", term->term);
	print_folded(stdout, "means:  ", "        ", term->means, WIDTH);
	print_folded(stdout, "see:    ", "        ", term->see, WIDTH);
}

static void suggest_from_tables(struct suggestion *suggestion)
{
	const struct term *term;
	const char *word;

	for (int i = 0; i < catalog_nr_metrics(); i++) {
		suggest_name(suggestion, catalog_metric_name(i));
		suggest_name(suggestion, catalog_brief_name(i));
	}
	for (int i = 0; i < catalog_nr_groups(); i++)
		suggest_name(suggestion, catalog_group(i).file);
	for (int i = 0; i < catalog_nr_events(); i++) {
		struct catalog_event event = catalog_event(i);

		suggest_name(suggestion, event.name);
		if (event.later)
			suggest_name(suggestion, event.later);
	}
	for (size_t i = 0; (word = catalog_word(i)); i++)
		suggest_name(suggestion, word);
	for (size_t i = 0; (term = term_at(i)); i++)
		suggest_name(suggestion, term->term);
}

static void __noreturn die_unknown(const char *name)
{
	struct suggestion suggestion;

	suggest_begin(&suggestion, name);
	suggest_from_tables(&suggestion);
	die(ERR_UNKNOWN_NAME, "no metric, group, event, word or term '%s'%s", name,
	    suggest_end(&suggestion, ": see n3stat list"));
}

/* Return: whether the text consists of these digits, at most as many as a number has. */
static bool all_of(const char *text, const char *digits)
{
	size_t len = strspn(text, digits);

	return len && len <= MAX_DIGITS && !text[len];
}

/*
 * Finds the event of a code: 0x17, perf's r17 or r0017, or plain digits, which are hexadecimal or
 * decimal. Return: -1 if the name is not a code.
 */
static int find_code(const char *name)
{
	bool prefix = !strncasecmp(name, "0x", 2), raw = *name == 'r' || *name == 'R';
	const char *digits = name + (prefix ? 2 : raw ? 1 : 0);
	bool plain = !prefix && !raw;
	int event, decimal = -1;

	if (!all_of(digits, HEX) || (plain && !strchr(DECIMAL, *digits)))
		return -1;
	event = catalog_find_code(strtoul(digits, NULL, 16));
	if (plain && all_of(digits, DECIMAL))
		decimal = catalog_find_code(strtoul(digits, NULL, 10));
	if (event >= 0 && decimal >= 0 && event != decimal)
		die(ERR_AMBIGUOUS_EVENT,
		    "'%s' may be 0x%x (%s) or decimal, 0x%x (%s); write the one you mean", name,
		    catalog_event(event).code, catalog_event(event).name,
		    catalog_event(decimal).code, catalog_event(decimal).name);
	if (event < 0 && decimal < 0)
		die(ERR_UNKNOWN_EVENT, "no event has the code '%s': see n3stat list events", name);
	return event < 0 ? decimal : event;
}

static void explain(const char *name)
{
	int metric = catalog_find_short_name(name), group = catalog_find_group(name);
	int event = catalog_find_event(name);
	const struct word *word = text_of_word(name);
	const struct term *term = text_of_term(name);

	if (metric < 0 && group < 0 && event < 0 && !word && !term)
		event = find_code(name);
	if (metric >= 0)
		explain_metric(metric);
	else if (group >= 0)
		explain_group(group);
	else if (event >= 0)
		explain_event(event);
	else if (word)
		explain_word(word);
	else if (term)
		explain_term(term);
	else
		die_unknown(name);
}

int command_explain(int argc, char **argv)
{
	static const struct argp argp = {
		NULL, parse_option, "NAME...", doc, NULL, NULL, NULL
	};
	struct explain_options options = { .nr = 0 };

	arguments_parse(&argp, argc, argv, 0, &options);
	for (size_t i = 0; i < options.nr; i++) {
		if (i)
			putchar('\n');
		explain(options.names[i]);
	}
	return EXIT_SUCCESS;
}
