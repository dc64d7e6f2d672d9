// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The commands by their names. */
#include <string.h>

#include "commands.h"
#include "common.h"
#include "dispatch.h"
#include "suggest.h"

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
	die(EXIT_BAD_USAGE, "no command '%s'%s", name,
	    suggest_end(&suggestion, "see n3stat --help"));
}
