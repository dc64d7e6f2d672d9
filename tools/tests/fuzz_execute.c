// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Commands of other programs, for the fuzzer in its own process: replaces n3stat/execute.c. */
#include <string.h>

#include "lib/memory.h"
#include "lib/program.h"
#include "n3check/commands.h"
#include "n3rec/commands.h"
#include "n3stat/commands.h"
#include "n3top/top.h"
#include "reader/errors.h"

static const struct program_command commands[] = {
	{ "top", command_top, NULL },
	{ "record", command_record, NULL },
	{ "report", command_report, NULL },
	{ "doctor", command_doctor, NULL },
};

int execute_command(const char *command_name, const char *package, int argc, char **argv)
{
	for (size_t i = 0; i < NR(commands); i++)
		if (!strcmp(commands[i].name, command_name))
			return commands[i].run(argc, argv);
	die(ERR_NOT_INSTALLED, "%s: %s", command_name, package);
}
