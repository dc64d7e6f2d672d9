// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat doctor: why it does not work or does not count, and what fixes it. */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common.h"
#include "doctor_cpus.h"
#include "doctor_machine.h"
#include "doctor_module.h"
#include "finding.h"
#include "options.h"
#include "source.h"

static const char doc[] =
	"Look for what keeps n3_telemetry from counting, or from counting all: the CPU, the "
	"module, its signature, counters that others hold, permissions, a hypervisor. Each "
	"finding comes with the command that fixes it."
	"\vExit status: 0 no errors, 7 at least one, 3 no such directory.";

enum { OPTION_MACHINE = 256 };

static const struct argp_option doctor_options[] = {
	{ "machine", OPTION_MACHINE, "DIR", 0,
	  "look at a copy of /boot, /proc, /sys and /lib/modules in DIR", 9 },
	{ 0 }
};

/* Where no path leads to anything: a copy of the module's files may be any machine's. */
#define NO_MACHINE	"/dev/null"

struct doctor_options {
	struct options common;
	const char *machine;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct doctor_options *options = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->common;
		return 0;
	case OPTION_MACHINE:
		options->machine = arg;
		return 0;
	case ARGP_KEY_ARG:
		die(EXIT_BAD_USAGE, "too many arguments: '%s'", arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* What is looked at has to be a machine, or the module's directory, at all. */
static void check_directories(const struct doctor_options *options, struct machine *machine)
{
	if (options->machine && !machine_is_there(machine))
		die(EXIT_NO_MODULE, "%s: neither %s/proc nor %s/sys is a directory",
		    options->machine, options->machine, options->machine);
	if (!strcmp(options->common.root, SOURCE_DEFAULT))
		return;
	source_open(options->common.root);
	if (!module_has_cpus(machine))
		die(EXIT_NO_MODULE, "%s: no copy of " SOURCE_DEFAULT ": there is no cpu* in it",
		    options->common.root);
}

int command_doctor(int argc, char **argv)
{
	static const struct argp_child children[] = { { &options_source, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		doctor_options, parse_option, NULL, doc, children, NULL, NULL
	};
	struct doctor_options options = { .common = OPTIONS_DEFAULT };
	struct machine machine = { .root = "" };
	bool others = false, ready, copied;
	char *module;

	argp_parse(&argp, argc, argv, 0, NULL, &options);
	copied = strcmp(options.common.root, SOURCE_DEFAULT);
	if (options.machine || copied)
		machine.root = options.machine ? options.machine : NO_MACHINE;
	module = copied ? xstrdup(options.common.root) :
			  format_string("%s%s", machine.root, SOURCE_DEFAULT);
	machine.module = module;
	check_directories(&options, &machine);
	machine.has_module = module_is_there(&machine);

	if (strcmp(machine.root, NO_MACHINE) && doctor_cpu(&machine))
		doctor_pmu(&machine);
	ready = doctor_module(&machine) && doctor_settings(&machine);
	if (strcmp(machine.root, NO_MACHINE))
		others = doctor_others(&machine);
	if (ready)
		doctor_cpus(&machine, others);
	free(module);
	flush_output(stdout);
	return finding_worst() == FINDING_ERROR ? EXIT_FINDINGS : EXIT_SUCCESS;
}
