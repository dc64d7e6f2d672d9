// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The commands by their names. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "dispatch.h"
#include "lib/arguments.h"
#include "lib/util.h"
#include "libn3telemetry/suggest.h"

static const struct {
	const char *name;
	command run;
} commands[] = {
	{ "tree", command_tree },
	{ "top", command_top },
	{ "list", command_list },
	{ "explain", command_explain },
	{ "record", command_record },
	{ "report", command_report },
	{ "baseline", command_baseline },
	{ "watch", command_watch },
	{ "spe", command_spe },
	{ "doctor", command_doctor },
	{ "selftest", command_selftest },
	{ "help", command_help },
};

command command_find(const char *name)
{
	for (size_t i = 0; i < NR(commands); i++)
		if (!strcmp(commands[i].name, name))
			return commands[i].run;
	return NULL;
}

void command_die(const char *name)
{
	struct suggestion suggestion;

	suggest_begin(&suggestion, name);
	for (size_t i = 0; i < NR(commands); i++)
		suggest_name(&suggestion, commands[i].name);
	die(ERR_UNKNOWN_COMMAND, "no command '%s'%s", name,
	    suggest_end(&suggestion, "see n3stat --help"));
}

/* The command's name leaves its place and joins the program's. */
static int run_at(command run, int at, int argc, char **argv)
{
	char **rest = xreallocarray(NULL, (size_t)argc, sizeof(*rest));
	int nr = 1, ret;

	rest[0] = format_string("n3stat %s", argv[at]);
	for (int i = 1; i < argc; i++)
		if (i != at)
			rest[nr++] = argv[i];
	rest[nr] = NULL;
	ret = run(nr, rest);
	free(rest[0]);
	free(rest);
	return ret;
}

int dispatch(int argc, char **argv)
{
	int at = arguments_first(&stat_argp, argc, argv);
	command run;

	if (at >= argc || !isalpha((unsigned char)*argv[at]))
		return command_stat(argc, argv);
	run = command_find(argv[at]);
	if (!run)
		command_die(argv[at]);
	return run_at(run, at, argc, argv);
}
