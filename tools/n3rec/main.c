// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3rec: recordings of the module's values over time; executed as n3stat-record, n3stat-report. */
#include "commands.h"
#include "lib/memory.h"
#include "lib/program.h"
#include "reader/telemetry.h"

static const struct program_command commands[] = {
	{ "record", command_record, NULL },
	{ "report", command_report, NULL },
};

static const struct program program = {
	.name = "n3rec",
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
