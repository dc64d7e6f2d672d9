// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat bottleneck: losses of slots and the path to the largest, for scripts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "lib/arguments.h"
#include "lib/cpu_list.h"
#include "lib/errors.h"
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
	"Print the largest losses of slots on a PLACE (cpu3, node0, system: the default), or on "
	"several CPUs together (cpu0-7,16), and the path down the decision tree to the largest, as "
	"lines of a key and its values."
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

static void print_place(const struct place *place)
{
	const char *text = path_read_text(place);

	if (!text)
		die(ERR_NO_SUCH_PLACE, "%s is not measured", place->name);
	fputs(text, stdout);
}

/* Every CPU of the set has to exist and to have moments. */
static void print_cpus(const bool *cpus)
{
	struct inference *inference;
	struct places places = { 0 };
	char text[4096];

	must(places_add(&telemetry, &places, SCOPE_CPU, cpus));
	must(infer_expect(&telemetry, BOTTLENECK_FILE) &&
	     infer_begin_cpus(&telemetry, cpus, &inference));
	for (size_t i = 0; i < places.nr; i++)
		if (!inference || !infer_has(inference, places.v[i].id))
			die(ERR_NO_SUCH_PLACE, "%s is not measured", places.v[i].name);
	places_free(&places);
	infer_bottleneck(inference, text, sizeof(text));
	fputs(text, stdout);
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

	arguments_parse(&argp, argc, argv, 0, &options);
	must(source_open(&telemetry, options.common.root));
	if (options.several)
		print_cpus(options.cpus);
	else
		print_place(&options.place);
	return EXIT_SUCCESS;
}
