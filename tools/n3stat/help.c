// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat help [COMMAND]: same output as COMMAND --help. */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "dispatch.h"
#include "lib/arguments.h"
#include "lib/util.h"

#define MAX_NAMES	2	/* as in "spe record" */

static const char doc[] =
	"Print the help of n3stat or of one of its commands, like COMMAND --help."
	"\vFor details see the manual pages: n3stat(1) and one per command.";

struct help_options {
	char *names[MAX_NAMES];
	size_t nr;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct help_options *options = state->input;

	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (options->nr == NR(options->names) || (options->nr && strcmp(options->names[0], "spe")))
		die(ERR_TOO_MANY_ARGUMENTS, "too many arguments: '%s'", arg);
	options->names[options->nr++] = arg;
	return 0;
}

int command_help(int argc, char **argv)
{
	static const struct argp argp = {
		NULL, parse_option, "[COMMAND]", doc, NULL, NULL, NULL
	};
	struct help_options options = { .nr = 0 };
	char *rest[MAX_NAMES + 2] = { (char *)"n3stat" };
	int nr = 1;

	arguments_parse(&argp, argc, argv, 0, &options);
	if (options.nr > 1)
		rest[nr++] = options.names[1];
	rest[nr++] = (char *)"--help";
	return options.nr ? dispatch_command(options.names[0], nr, rest) : command_stat(nr, rest);
}
