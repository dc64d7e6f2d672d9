// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat spe COMMAND: single operations, sampled by the CPU's SPE. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "commands.h"
#include "lib/arguments.h"
#include "lib/util.h"
#include "libn3telemetry/suggest.h"
#include "n3stat/dispatch.h"

static const struct {
	const char *name;
	command run;
} commands[] = {
	{ "info", spe_command_info },
	{ "record", spe_command_record },
	{ "report", spe_command_report },
	{ "profile", spe_command_profile },
	{ "decode", spe_command_decode },
};

static const char doc[] =
	"Samples of single operations from the CPU's SPE (Statistical Profiling Extension): "
	"stalling instructions, their latencies and data sources."
	"\vCommands:\n"
	"  info     SPE capabilities of this machine, or why SPE is unusable\n"
	"  record   record samples\n"
	"  report   profile a recording by function, line, address and data source\n"
	"  profile  extract branches for BOLT\n"
	"  decode   print all packets of a file, one per line\n"
	"See also \"n3stat spe record --help\" and n3stat-spe(1).";

struct spe_choice {
	command run;
	int at;
};

static void __noreturn die_unknown(const char *name)
{
	struct suggestion suggestion;

	suggest_begin(&suggestion, name);
	for (size_t i = 0; i < NR(commands); i++)
		suggest_name(&suggestion, commands[i].name);
	die(ERR_UNKNOWN_COMMAND, "no command '%s'%s", name,
	    suggest_end(&suggestion, "see n3stat spe --help"));
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct spe_choice *choice = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		for (size_t i = 0; i < NR(commands); i++)
			if (!strcmp(commands[i].name, arg))
				choice->run = commands[i].run;
		if (!choice->run)
			die_unknown(arg);
		choice->at = state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		die(ERR_MISSING_ARGUMENT, "which command of spe? See n3stat spe --help");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int command_spe(int argc, char **argv)
{
	static const struct argp argp = { NULL, parse, "COMMAND ...", doc, NULL, NULL, NULL };
	struct spe_choice choice = { 0 };
	char *name;
	int ret;

	arguments_parse(&argp, argc, argv, ARGP_IN_ORDER, &choice);
	name = format_string("n3stat spe %s", argv[choice.at]);
	argv[choice.at] = name;
	ret = choice.run(argc - choice.at, argv + choice.at);
	free(name);
	return ret;
}
