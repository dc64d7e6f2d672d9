// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3spe: single operations, sampled by the CPU's SPE; also run as "n3stat spe". */
#include "commands.h"
#include "lib/arguments.h"
#include "lib/memory.h"
#include "lib/program.h"

static const struct program_command commands[] = {
	{ "info", spe_command_info, NULL },
	{ "record", spe_command_record, NULL },
	{ "report", spe_command_report, NULL },
	{ "profile", spe_command_profile, NULL },
};

static const char doc[] =
	"Samples of single operations from the CPU's SPE (Statistical Profiling Extension): "
	"stalling instructions, their latencies and data sources."
	"\vCommands:\n"
	"  info     SPE capabilities of this machine, or why SPE is unusable\n"
	"  record   record samples\n"
	"  report   profile a recording by function, line, address and data source\n"
	"  profile  extract branches for BOLT\n"
	"See also \"n3stat spe record --help\" and n3stat-spe(1).";

static const struct program program = {
	.name = "n3stat spe",
	.title = "n3stat spe",
	.doc = doc,
	.commands = commands,
	.nr = NR(commands),
};

static const struct letter_habit habits[] = {
	{ 'j', "json" },
	{ 'm', "aux-size" },
	{ 's', "seconds" },
	{ 0, NULL },
};

int main(int argc, char **argv)
{
	program_start(argc, argv);
	arguments_set_habits(habits);
	if (argc)
		argv[0] = (char *)"n3stat spe";
	return program_run_first(&program, argc, argv);
}
