// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3check: checks of a machine; executed as n3stat-doctor, n3stat-selftest. */
#include "commands.h"
#include "lib/memory.h"
#include "lib/program.h"
#include "reader/telemetry.h"

static const struct program_command commands[] = {
	{ "doctor", command_doctor, NULL },
	{ "selftest", command_selftest, NULL },
};

static const struct program program = {
	.name = "n3check",
	.title = "n3stat",
	.commands = commands,
	.nr = NR(commands),
};

int main(int argc, char **argv)
{
	program_start(argc, argv);
	telemetry_start();
	return program_run_called(&program, argc, argv);
}
