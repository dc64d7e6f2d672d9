// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Lookup and call of commands by name. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/program.h"
#include "commands.h"
#include "dispatch.h"
#include "execute.h"
#include "lib/arguments.h"
#include "lib/util.h"
#include "libn3telemetry/suggest.h"

/* Packages of commands that are programs of their own. */
#define TOP	"n3-telemetry-top"
#define REC	"n3-telemetry-rec"
#define SPE	"n3-telemetry-spe"
#define CHECK	"n3-telemetry-check"

static const struct {
	const char *name;
	command run;
	const char *package;
} commands[] = {
	{ "tree", command_tree, NULL },
	{ "top", NULL, TOP },
	{ "list", command_list, NULL },
	{ "explain", command_explain, NULL },
	{ "record", NULL, REC },
	{ "report", NULL, REC },
	{ "baseline", NULL, REC },
	{ "watch", NULL, REC },
	{ "spe", NULL, SPE },
	{ "doctor", NULL, CHECK },
	{ "selftest", NULL, CHECK },
	{ "help", command_help, NULL },
};

static void __noreturn die_unknown(const char *name)
{
	struct suggestion suggestion;

	suggest_begin(&suggestion, name);
	for (size_t i = 0; i < NR(commands); i++)
		suggest_name(&suggestion, commands[i].name);
	die(ERR_UNKNOWN_COMMAND, "no command '%s'%s", name,
	    suggest_end(&suggestion, "see n3stat --help"));
}

static int run_as(command run, const char *name, int argc, char **argv)
{
	char *title = format_string("n3stat %s", name);
	int ret;

	argv[0] = title;
	ret = run(argc, argv);
	free(title);
	return ret;
}

int dispatch_command(const char *name, int argc, char **argv)
{
	size_t i = 0;

	while (i < NR(commands) && strcmp(commands[i].name, name))
		i++;
	if (i == NR(commands))
		die_unknown(name);
	if (commands[i].package)
		return execute_command(name, commands[i].package, argc, argv);
	return run_as(commands[i].run, name, argc, argv);
}

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
	ret = dispatch_command(argv[at], nr, rest);
	free(rest);
	return ret;
}

int dispatch(int argc, char **argv)
{
	int at = arguments_first(&stat_argp, argc, argv);

	if (at >= argc || !isalpha((unsigned char)*argv[at]))
		return command_stat(argc, argv);
	return run_at(at, argc, argv);
}
