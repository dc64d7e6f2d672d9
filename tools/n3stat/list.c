// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat list: events, metrics and groups, with or without the module. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "lib/arguments.h"
#include "lib/disk.h"
#include "lib/errors.h"
#include "lib/keys.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "libn3telemetry/catalog.h"
#include "reader/options.h"
#include "reader/telemetry.h"

struct list_options {
	struct options common;
	const char *what;
};

static const char doc[] =
	"List events (codes, names for perf, presence according to the PMU, current users: "
	"groups, custom, anchors), metrics (units, formulas) or groups; without a word, their "
	"numbers and the names of the groups."
	"\vWorks without the module; events have no users then.";

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct list_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		return 0;
	case ARGP_KEY_ARG:
		if (options->what)
			die(ERR_TOO_MANY_ARGUMENTS, "too many arguments: '%s'", arg);
		if (strcmp(arg, "events") && strcmp(arg, "metrics") && strcmp(arg, "groups"))
			die(ERR_BAD_VALUE, "cannot list '%s'; write events, metrics or groups",
			    arg);
		options->what = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* Return: the text of a file of the module, or NULL without a module. */
static const char *read_module(const struct options *options, const char *name)
{
	if (disk_find_directory(options->root))
		return NULL;
	must(source_open(&telemetry, options->root));
	return telemetry_read(name);
}

/* Value of a setting, or NULL without a module. */
static char *setting(const struct options *options, const char *name)
{
	const char *text = read_module(options, name);

	return text ? xstrdup(text) : NULL;
}

static bool has_word(const char *words, const char *word)
{
	return words && words_have(words, word, strlen(word));
}

static bool names_event(const char *words, int event)
{
	struct catalog_event info = catalog_event(event);

	return has_word(words, info.name) || (info.later && has_word(words, info.later));
}

/* Current users of events: lists of words, or NULL. */
struct counting {
	char *groups;
	char *custom;
	char *anchors;
	char *distrust;
};

/* Metrics that need a distrusted event are not counted. */
static bool group_counts(int group, int event, const char *distrust)
{
	for (size_t i = 0; i < catalog_group(group).nr_members; i++) {
		struct catalog_metric metric = catalog_metric(catalog_member(group, i));
		bool counted = true, uses = false;

		for (size_t k = 0; k < metric.nr_events; k++) {
			counted &= !names_event(distrust, metric.events[k]);
			uses |= metric.events[k] == event;
		}
		if (counted && uses)
			return true;
	}
	return false;
}

/*
 * The groups being sampled whose formulas hold the event, "custom", and "anchors"; or "distrusted".
 */
static void print_counted_by(int event, const struct counting *counting)
{
	const char *groups = counting->groups, *comma = "";

	if (names_event(counting->distrust, event)) {
		puts("distrusted");
		return;
	}
	for (int i = 0; i < catalog_nr_groups(); i++) {
		if (!has_word(groups, catalog_group(i).file) ||
		    !group_counts(i, event, counting->distrust))
			continue;
		printf("%s%s", comma, catalog_group(i).file);
		comma = ",";
	}
	if (names_event(counting->custom, event)) {
		printf("%scustom", comma);
		comma = ",";
	}
	if (names_event(counting->anchors, event)) {
		printf("%sanchors", comma);
		comma = ",";
	}
	printf("%s\n", *comma ? "" : "-");
}

/* perf's alias of the event: the module registers it in lower case. */
static void print_alias(const struct catalog_event *event)
{
	char alias[40];
	size_t i;

	for (i = 0; i < sizeof(alias) - 1 && event->name[i]; i++)
		alias[i] = tolower((unsigned char)event->name[i]);
	alias[i] = '\0';
	printf("  %-29s", event->countable ? alias : "-");
}

/* The loaded module knows which events the driver hides. */
static char *find_missing(const struct options *options)
{
	const char *text = read_module(options, "spec");
	char *missing = text ? value_of_key(text, "pmceid_missing") : NULL;

	return missing ? missing : xstrdup("");
}

/* The caller frees it; NULL if the CPU went offline. */
static char *anchors_of(const struct options *options, const char *cpu)
{
	char *path = format_string("%s/status", cpu);
	const char *text = read_module(options, path);

	free(path);
	return text ? value_of_key(text, "anchors") : NULL;
}

/* Of all CPUs: with "auto" they depend on the counters of each CPU. */
static char *find_anchors(const struct options *options)
{
	char *anchors = NULL, **names;
	size_t nr = telemetry_list("", &names);
	struct place place;

	for (size_t i = 0; i < nr; i++) {
		char *words;

		if (!place_parse(names[i], &place) || place.scope != SCOPE_CPU)
			continue;
		words = anchors_of(options, names[i]);
		append_text(&anchors, " ", "%s", words ? words : "");
		free(words);
	}
	free_names(names);
	return anchors;
}

static struct counting find_counting(const struct options *options)
{
	struct counting counting = { 0 };
	char *enable = setting(options, "enable");

	if (enable && enable[0] == '1') {
		counting.groups = setting(options, "groups");
		counting.custom = setting(options, "custom");
		counting.anchors = find_anchors(options);
		counting.distrust = setting(options, "distrust");
	}
	free(enable);
	return counting;
}

static void list_events(const struct options *options)
{
	struct counting counting = find_counting(options);
	char *missing = find_missing(options);
	bool any_missing = false;

	printf("%-6s  %-29s  %-29s  %-14s  %-13s  %-7s  %s\n", "code", "event", "perf",
	       "group", "class", "PMCEID", "counted now by");
	for (int i = 0; i < catalog_nr_events(); i++) {
		struct catalog_event event = catalog_event(i);
		bool is_missing = has_word(missing, event.name);

		any_missing |= is_missing;
		printf("0x%04x  %-29s", event.code, event.name);
		print_alias(&event);
		printf("  %-14s  %-13s  %-7s  ", event.functional, event.class,
		       is_missing ? "missing" : "-");
		print_counted_by(i, &counting);
		if (event.later)
			printf("%8s%s (its later name)\n", "", event.later);
	}
	if (any_missing)
		printf("PMCEID missing: the PMU's ID registers indicate that the event is not "
		       "implemented, and the driver\nhides it; perf finds it by the name that "
		       "the module adds.\n");
	free(missing);
	free(counting.groups);
	free(counting.custom);
	free(counting.anchors);
	free(counting.distrust);
}

static void list_metrics(void)
{
	printf("%-33s  %-21s  %s\n", "metric", "unit", "formula");
	for (int i = 0; i < catalog_nr_metrics(); i++) {
		struct catalog_metric metric = catalog_metric(i);

		printf("%-33s  %-21s  %s\n", metric.name, metric.unit, metric.formula);
	}
}

static void list_groups(void)
{
	printf("%-25s  %-37s  %-5s  %s\n", "group", "title", "stage", "metrics");
	for (int i = 0; i < catalog_nr_groups(); i++) {
		struct catalog_group group = catalog_group(i);

		printf("%-25s  %-37s  ", group.name, group.title);
		if (group.stage)
			printf("%5u", group.stage);
		else
			printf("%5s", "-");
		for (size_t k = 0; k < group.nr_members; k++)
			printf("%s%s", k ? "," : "  ",
			       catalog_metric_name(catalog_member(i, k)));
		putchar('\n');
	}
}

/* Without a kind: what there is, on one screen. */
static void list_kinds(void)
{
	int nr = catalog_nr_groups();

	printf("%3d events   n3stat list events: codes, names for perf, users\n"
	       "%3d metrics  n3stat list metrics: units, formulas\n"
	       "%3d groups   n3stat list groups: titles, stages, metrics\n\n",
	       catalog_nr_events(), catalog_nr_metrics(), nr);
	for (int i = 0; i < nr; i++)
		printf(i % 3 == 2 || i == nr - 1 ? "%s\n" : "%-26s", catalog_group(i).name);
	puts("\nn3stat explain NAME explains one.");
}

int command_list(int argc, char **argv)
{
	static const struct argp_child children[] = { { &options_source, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		NULL, parse_option, "[events | metrics | groups]", doc, children, NULL, NULL
	};
	struct list_options options = { .common = OPTIONS_DEFAULT };

	arguments_parse(&argp, argc, argv, 0, &options);
	if (!options.what)
		list_kinds();
	else if (!strcmp(options.what, "events"))
		list_events(&options.common);
	else if (!strcmp(options.what, "metrics"))
		list_metrics();
	else
		list_groups();
	return EXIT_SUCCESS;
}
