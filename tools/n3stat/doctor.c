// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat doctor: why it does not work or does not count, and what mends it. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "common.h"
#include "doctor.h"
#include "options.h"
#include "source.h"

static enum severity worst;

static const char doc[] =
	"Look for what keeps n3_telemetry from counting, or from counting all: the CPU, the module, "
	"its signature, counters that others hold, permissions, a hypervisor. Each finding comes "
	"with the command that mends it."
	"\vExit status: 0 nothing stops it, 7 something does.";

enum { OPTION_MACHINE = 256 };

static const struct argp_option doctor_options[] = {
	{ "machine", OPTION_MACHINE, "DIR", 0,
	  "look at a copy of /proc, /sys and /lib/modules in DIR", 9 },
	{ 0 }
};

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

/* A copy of a machine may hold anything; a terminal shall not act on it. */
static void print_plain(const char *text)
{
	for (; *text; text++)
		putchar((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
}

void finding(enum severity severity, const char *mend, const char *format, ...)
{
	static const char * const words[] = {
		[FINDING_OK] = "ok",
		[FINDING_NOTE] = "note",
		[FINDING_WARNING] = "warning",
		[FINDING_ERROR] = "error",
	};
	va_list args;
	char *text;

	va_start(args, format);
	text = format_args(format, args);
	va_end(args);
	printf("%-8s ", words[severity]);
	print_plain(text);
	putchar('\n');
	if (mend) {
		printf("%-8s try: ", "");
		print_plain(mend);
		putchar('\n');
	}
	free(text);
	if (severity > worst)
		worst = severity;
}

int command_doctor(int argc, char **argv)
{
	static const struct argp_child children[] = { { &options_source, 0, NULL, 0 }, { 0 } };
	static const struct argp argp = {
		doctor_options, parse_option, NULL, doc, children, NULL, NULL
	};
	struct doctor_options options = { .common = OPTIONS_DEFAULT };
	struct machine machine = { .root = "" };
	char *module;

	worst = FINDING_OK;
	argp_parse(&argp, argc, argv, 0, NULL, &options);
	if (options.machine)
		machine.root = options.machine;
	module = strcmp(options.common.root, SOURCE_DEFAULT) ?
		 xstrdup(options.common.root) :
		 format_string("%s%s", machine.root, SOURCE_DEFAULT);
	machine.module = module;
	machine.has_module = module_is_there(&machine);

	if (doctor_cpu(&machine))
		doctor_pmu(&machine);
	if (doctor_module(&machine)) {
		if (doctor_settings(&machine))
			doctor_places(&machine);
	}
	doctor_others(&machine);
	free(module);
	flush_output(stdout);
	return worst == FINDING_ERROR ? EXIT_FINDINGS : EXIT_SUCCESS;
}
