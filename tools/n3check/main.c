// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3check: checks of a machine before its values are trusted. */
#include "commands.h"
#include "lib/memory.h"
#include "lib/program.h"
#include "reader/telemetry.h"

static const struct program_command commands[] = {
	{ "doctor", command_doctor },
	{ "selftest", command_selftest },
};

static const struct program program = {
	.name = "n3check",
	.title = "n3stat",
	.doc = "Check a machine for Neoverse N3 metrics; also run as \"n3stat COMMAND\"."
	       "\vCommands:\n"
	       "  doctor    obstacles to correct values, and how to remove them\n"
	       "  selftest  which events count on this machine's CPUs",
	.commands = commands,
	.nr = NR(commands),
};

int main(int argc, char **argv)
{
	program_start(argc, argv);
	telemetry_start();
	return program_run(&program, argc, argv);
}
