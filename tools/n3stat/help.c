// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat help [COMMAND]: what COMMAND --help prints. */
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "dispatch.h"
#include "lib/arguments.h"
#include "lib/util.h"

#define MAX_NAMES	2	/* as in "spe record" */

static const char doc[] =
	"Print the help of n3stat or of one of its commands, as COMMAND --help does."
	"\vThe manual pages tell more: n3stat(1) and one for each command.";

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
	char *rest[MAX_NAMES + 2] = { NULL };
	int nr = 0, ret;
	command run;

	arguments_parse(&argp, argc, argv, 0, &options);
	run = options.nr ? command_find(options.names[0]) : command_stat;
	if (!run)
		command_die(options.names[0]);
	rest[nr++] = options.nr ? format_string("n3stat %s", options.names[0]) : xstrdup("n3stat");
	if (options.nr > 1)
		rest[nr++] = options.names[1];
	rest[nr++] = (char *)"--help";
	ret = run(nr, rest);
	free(rest[0]);
	return ret;
}
