// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Program startup and selection of a command by the program's name or its first word. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "errors.h"
#include "memory.h"
#include "program.h"
#include "signals.h"
#include "streams.h"
#include "suggest.h"

#define COMMAND_PREFIX	"n3stat-"

struct choice_of_command {
	const struct program *program;
	int at;
};

const char program_version[] = VERSION;

/*
 * Errors may occur before the options of a command are known, or while they are parsed: --json
 * is recognized by its name, which may be abbreviated.
 */
static bool wants_json(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!strncmp(argv[i], "--j", 3) && !strncmp("--json", argv[i], strlen(argv[i])))
			return true;
	return false;
}

void program_start(int argc, char **argv)
{
	errors_in_json(wants_json(argc, argv));
	errors_program("n3stat");
	streams_open();
	atexit(streams_close);
	argp_program_version = "n3stat " VERSION;
	argp_err_exit_status = EXIT_BAD_USAGE;
	signals_start();
	/* Suppresses argp's note on arguments of long options, so that the help fits a screen. */
	setenv("ARGP_HELP_FMT", "no-dup-args-note", 0);
}

static const struct program_command *find(const struct program *program, const char *name)
{
	for (size_t i = 0; i < program->nr; i++)
		if (!strcmp(program->commands[i].name, name))
			return &program->commands[i];
	return NULL;
}

bool program_has(const struct program *program, const char *name)
{
	return find(program, name);
}

static void __noreturn die_unknown(const struct program *program, const char *name)
{
	struct suggestion suggestion;
	char *see = format_string(": see %s --help", program->name);

	suggest_begin(&suggestion, name);
	for (size_t i = 0; i < program->nr; i++)
		suggest_name(&suggestion, program->commands[i].name);
	die(ERR_UNKNOWN_COMMAND, "no command '%s'%s", name, suggest_end(&suggestion, see));
}

int program_run(const struct program *program, const char *name, int argc, char **argv)
{
	const struct program_command *command = find(program, name);
	char *title;
	int ret;

	if (!command)
		die_unknown(program, name);
	if (command->executable)
		return program->execute(name, command->executable, argc, argv);
	title = format_string("%s %s", program->title, name);
	argv[0] = title;
	errors_program(title);
	ret = command->run(argc, argv);
	free(title);
	return ret;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct choice_of_command *choice = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (!program_has(choice->program, arg))
			die_unknown(choice->program, arg);
		choice->at = state->next - 1;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_NO_ARGS:
		die(ERR_MISSING_ARGUMENT, "missing command; see %s --help", choice->program->name);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int program_run_first(const struct program *program, int argc, char **argv)
{
	const struct argp argp = { NULL, parse, "COMMAND ...", program->doc, NULL, NULL, NULL };
	struct choice_of_command choice = { .program = program };

	arguments_parse(&argp, argc, argv, ARGP_IN_ORDER, &choice);
	return program_run(program, argv[choice.at], argc - choice.at, argv + choice.at);
}

int program_run_called(const struct program *program, int argc, char **argv)
{
	const char *name = argc ? basename(argv[0]) : "";

	if (strncmp(name, COMMAND_PREFIX, strlen(COMMAND_PREFIX)) ||
	    !program_has(program, name + strlen(COMMAND_PREFIX)))
		die(ERR_UNKNOWN_COMMAND, "%s is executed by n3stat", program->name);
	return program_run(program, name + strlen(COMMAND_PREFIX), argc, argv);
}
