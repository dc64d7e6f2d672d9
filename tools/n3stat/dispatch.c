// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Lookup and call of commands by name, and n3stat help [COMMAND]. */
#include <argp.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "lib/arguments.h"
#include "lib/errors.h"
#include "lib/memory.h"
#include "lib/program.h"

#define MAX_NAMES	2	/* as in "spe record" */

static const char help_doc[] =
	"Print the help of n3stat or of one of its commands, like COMMAND --help."
	"\vFor details see the manual pages: n3stat(1) and one per command.";

struct help_options {
	char *names[MAX_NAMES];
	size_t nr;
};

static int command_help(int argc, char **argv);
static int command_version(int argc, char **argv);

static const struct program_command commands[] = {
	{ "tree", command_tree, NULL },
	{ "find", command_find, NULL },
	{ "top", NULL, "n3top" },
	{ "bottleneck", command_bottleneck, NULL },
	{ "containers", command_containers, NULL },
	{ "list", command_list, NULL },
	{ "explain", command_explain, NULL },
	{ "record", NULL, "n3rec" },
	{ "report", NULL, "n3rec" },
	{ "spe", NULL, "n3spe" },
	{ "doctor", NULL, "n3check" },
	{ "selftest", NULL, "n3check" },
	{ "help", command_help, NULL },
	{ "version", command_version, NULL },
};

static const struct program program = {
	.name = "n3stat",
	.title = "n3stat",
	.commands = commands,
	.nr = NR(commands),
	.execute = execute_command,
};

/* Runs a command without its name, which may follow options. */
static int run_at(int at, int argc, char **argv)
{
	char **rest = xreallocarray(NULL, (size_t)argc, sizeof(*rest));
	int nr = 1, ret;

	rest[0] = argv[0];
	for (int i = 1; i < argc; i++)
		if (i != at)
			rest[nr++] = argv[i];
	rest[nr] = NULL;
	ret = program_run(&program, argv[at], nr, rest);
	free(rest);
	return ret;
}

int dispatch(int argc, char **argv)
{
	int at = arguments_first(&stat_argp, argc, argv);

	if (at >= argc || !isalpha((unsigned char)*argv[at]))
		return command_stat(argc, argv);
	/* The word may be the argument of an unknown option. */
	if (!program_has(&program, argv[at]))
		arguments_check(&stat_argp, at, argv, true);
	return run_at(at, argc, argv);
}

static error_t parse_help(int key, char *arg, struct argp_state *state)
{
	struct help_options *options = state->input;

	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (options->nr == NR(options->names) || (options->nr && strcmp(options->names[0], "spe")))
		die(ERR_TOO_MANY_ARGUMENTS, "too many arguments: '%s'", arg);
	options->names[options->nr++] = arg;
	return 0;
}

static int command_help(int argc, char **argv)
{
	static const struct argp argp = {
		NULL, parse_help, "[COMMAND]", help_doc, NULL, NULL, NULL
	};
	struct help_options options = { .nr = 0 };
	char *rest[MAX_NAMES + 2] = { (char *)"n3stat" };
	int nr = 1;

	arguments_parse(&argp, argc, argv, 0, &options);
	if (options.nr > 1)
		rest[nr++] = options.names[1];
	rest[nr++] = (char *)"--help";
	return options.nr ? program_run(&program, options.names[0], nr, rest) :
			    command_stat(nr, rest);
}

static int command_version(int argc, char **argv)
{
	static const struct argp argp = {
		NULL, NULL, NULL, "Print the version, like --version.", NULL, NULL, NULL
	};

	arguments_parse(&argp, argc, argv, 0, NULL);
	puts(argp_program_version);
	return EXIT_SUCCESS;
}
