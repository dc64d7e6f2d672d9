// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat: see where the cycles of Neoverse N3 CPUs go. */
#include <argp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common.h"
#include "tables.h"

const char *argp_program_version = "n3stat " N3STAT_VERSION;

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
	{ "doctor", command_doctor },
};

command command_find(const char *name)
{
	for (size_t i = 0; i < NR(commands); i++)
		if (!strcmp(commands[i].name, name))
			return commands[i].run;
	return NULL;
}

int main(int argc, char **argv)
{
	argp_err_exit_status = EXIT_BAD_USAGE;
	/* A pipe that closes is met where it is written to. */
	signal(SIGPIPE, SIG_IGN);
	tables_init();
	if (argc < 1)
		return EXIT_BAD_USAGE;
	return command_stat(argc, argv);
}
