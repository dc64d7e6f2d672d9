// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat bottleneck: the answer and the largest losses of slots, for scripts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "lib/arguments.h"
#include "lib/cpu_list.h"
#include "lib/errors.h"
#include "lib/memory.h"
#include "libn3telemetry/answer_read.h"
#include "libn3telemetry/infer.h"
#include "reader/options.h"
#include "reader/path_advice.h"
#include "reader/telemetry.h"

/* @several: a set of CPUs instead of a place */
struct bottleneck_options {
	struct options common;
	struct place place;
	bool has_place;
	bool several;
	bool cpus[MAX_PLACES];
};

static const char doc[] =
	"Print where the slots go on a PLACE (cpu3, node0, system: the default), or on several CPUs "
	"together (cpu0-7,16): the answer, its areas and causes, and the largest losses, as lines of "
	"a key and its values."
	"\vn3stat tree explains them.";

static void take_place(struct bottleneck_options *options, const char *arg)
{
	static const char cpu[] = "cpu";

	options->has_place = true;
	if (place_parse(arg, &options->place))
		return;
	if (strncmp(arg, cpu, strlen(cpu)) ||
	    cpu_list_parse(arg + strlen(cpu), options->cpus))
		die(ERR_BAD_VALUE,
		    "'%s' is not a place; write cpu3, cpu0-7,16, node0 or system (CPUs below %d)",
		    arg, MAX_PLACES);
	options->several = true;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct bottleneck_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		return 0;
	case ARGP_KEY_ARG:
		if (options->has_place)
			die(ERR_TOO_MANY_ARGUMENTS, "too many arguments: '%s'", arg);
		take_place(options, arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct value *value_at(const void *estimates, int metric)
{
	return (const struct value *)estimates + metric;
}

static void print_end(const char *key, const struct answer_end *end)
{
	printf("%s %s %.4f", key, catalog_metric_name(end->metric), end->share.value);
	if (isnan(end->share.error))
		printf(" none");
	else
		printf(" %.4f", end->share.error);
	printf("%s\n", end->rest ? " rest" : "");
}

static void print_areas(const struct answer *answer)
{
	for (size_t i = 0; i < answer->nr; i++) {
		const struct answer_area *area = &answer->areas[i];

		print_end("area", &(struct answer_end) { area->metric, false, area->share });
		for (size_t k = 0; k < area->nr_causes; k++)
			print_end(area->spread ? "part" : "cause", &area->causes[k]);
		if (area->word)
			printf("below %s\n", area->word);
	}
}

static void print_next(const struct answer *answer)
{
	int groups[PATH_MAX_NEXT];
	size_t nr = path_groups(answer_metric(answer, 0), groups);

	printf("next");
	for (size_t i = 0; i < nr; i++)
		printf(" %s", catalog_group(groups[i]).file);
	puts(nr ? "" : " none");
}

static void print_answer(const struct value *estimates, const struct infer_counts *counts)
{
	struct answer answer;
	char text[ANSWER_LONG];

	answer_find(&answer, value_at, estimates);
	answer_long(text, &answer);
	printf("answer %s\n", text);
	print_areas(&answer);
	for (size_t i = 0; i < answer.nr_losses; i++)
		print_end("loss", &answer.losses[i]);
	for (size_t i = 0; i < counts->nr; i++)
		printf("cpus %u %s\n", counts->v[i].cpus, counts->v[i].name);
	print_next(&answer);
}

/* A place that does not exist is an error. */
static void choose_place(struct choice *choice, const struct place *place)
{
	bool wanted[MAX_PLACES] = { 0 }, system;

	if (place->scope == SCOPE_SYSTEM) {
		must(places_have_system(&telemetry, &system));
		if (!system)
			die(ERR_NO_SUCH_PLACE, "%s is not measured", place->name);
		xplaces_add_one(&choice->places, *place);
	} else {
		wanted[place->id] = true;
		must(places_add(&telemetry, &choice->places, place->scope, wanted));
	}
	must(answer_choose_groups(&telemetry, choice));
	choice->quality = true;
}

static void print_place(const struct place *place, struct value estimates[])
{
	struct snapshot snapshot = { 0 };
	struct choice choice = { 0 };
	struct infer_counts counts;

	choose_place(&choice, place);
	must(snapshot_read(&telemetry, &snapshot, &choice));
	for (size_t i = 0; i < choice.nr_columns; i++)
		estimates[choice.columns[i].metric] = *snapshot_estimate_at(&snapshot, &choice,
									     0, i);
	path_count_cpus(&counts, place);
	print_answer(estimates, &counts);
	snapshot_free(&snapshot);
	choice_free(&choice);
}

/* The metrics of a group on the set of CPUs. */
static void take_group(struct inference *inference, const char *name, struct value estimates[])
{
	struct values *values = &telemetry.values;
	char *text = infer_group(&telemetry, inference, catalog_find_group(name));

	must(values_parse(values, text, name, &telemetry.failure));
	for (size_t i = 0; i < values->nr; i++)
		estimates[catalog_find_metric(values->v[i].name)] = values->v[i].estimate;
}

/* Every CPU of the set has to exist and to have moments. */
static void print_cpus(const bool *cpus, struct value estimates[])
{
	static const char * const groups[] = {
		"Topdown_L1", "Topdown_Frontend", "Topdown_Backend"
	};
	struct inference *inference;
	struct places places = { 0 };
	struct infer_counts counts;

	must(places_add(&telemetry, &places, SCOPE_CPU, cpus));
	for (size_t i = 0; i < NR(groups); i++)
		must(infer_expect(&telemetry, groups[i]));
	must(infer_begin_cpus(&telemetry, cpus, &inference));
	for (size_t i = 0; i < places.nr; i++)
		if (!inference || !infer_has(inference, places.v[i].id))
			die(ERR_NO_SUCH_PLACE, "%s is not measured", places.v[i].name);
	places_free(&places);
	for (size_t i = 0; i < NR(groups); i++)
		take_group(inference, groups[i], estimates);
	infer_count(inference, &counts);
	print_answer(estimates, &counts);
}

int command_bottleneck(int argc, char **argv)
{
	static const struct argp_child children[] = { { &options_source, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		NULL, parse_option, "[PLACE]", doc, children, NULL, NULL
	};
	struct bottleneck_options options = {
		.common = OPTIONS_DEFAULT, .place = place_make(SCOPE_SYSTEM, 0),
	};
	struct value *estimates;

	arguments_parse(&argp, argc, argv, 0, &options);
	must(source_open(&telemetry, options.common.root));
	estimates = xcalloc(catalog_nr_metrics(), sizeof(*estimates));
	if (options.several)
		print_cpus(options.cpus, estimates);
	else
		print_place(&options.place, estimates);
	free(estimates);
	return EXIT_SUCCESS;
}
