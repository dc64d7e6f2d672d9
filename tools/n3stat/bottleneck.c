// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat bottleneck: losses of slots and the path to the largest, for scripts. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/options.h"
#include "cli/path_advice.h"
#include "cli/telemetry.h"
#include "commands.h"
#include "lib/arguments.h"
#include "lib/errors.h"

struct bottleneck_options {
	struct options common;
	struct place place;
	bool has_place;
};

static const char doc[] =
	"Print the largest losses of slots on a PLACE (cpu3, node0, system: the default) and the "
	"path down the decision tree to the largest, as lines of a key and its values."
	"\vn3stat tree explains them.";

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
		if (!place_parse(arg, &options->place))
			die(ERR_BAD_VALUE, "'%s' is not a place; write cpu3, node0 or system", arg);
		options->has_place = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
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
	const char *text;

	arguments_parse(&argp, argc, argv, 0, &options);
	must(source_open(&telemetry, options.common.root));
	text = path_read_text(&options.place);
	if (!text)
		die(ERR_NO_SUCH_PLACE, "%s is not measured", options.place.name);
	fputs(text, stdout);
	return EXIT_SUCCESS;
}
