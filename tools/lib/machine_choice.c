// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Options --root and --machine: the live machine, or a copy of its files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "disk.h"
#include "errors.h"
#include "machine.h"
#include "machine_choice.h"
#include "memory.h"

enum { OPTION_MACHINE = 256 };

static const struct argp_option machine_options[] = {
	{ "root", 'r', "DIR", 0, "read a copy of " SOURCE_DEFAULT " in DIR", 9 },
	{ "machine", OPTION_MACHINE, "DIR", 0,
	  "examine a copy of /boot, /proc, /sys and /lib/modules in DIR", 9 },
	{ 0 }
};

/* No path resolves below it: a copy of the module's files alone may be from any machine. */
#define NO_MACHINE	"/dev/null"

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct machine_choice *choice = state->input;

	switch (key) {
	case 'r':
		choice->root = arg;
		return 0;
	case OPTION_MACHINE:
		choice->copy = arg;
		return 0;
	case ARGP_KEY_ARG:
		die(ERR_TOO_MANY_ARGUMENTS, "too many arguments: '%s'", arg);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp options_machine = {
	machine_options, parse_option, NULL, NULL, NULL, NULL, NULL
};

static void __noreturn die_of(const char *path, int error)
{
	switch (error) {
	case -ENOENT:
		die(ERR_NO_DIRECTORY, "%s: no such directory", path);
	case -ENOTDIR:
		die(ERR_NO_DIRECTORY, "%s: not a directory", path);
	case -EACCES:
	case -EPERM:
		die(ERR_PERMISSION_DENIED, "%s: %s", path,
		    error == -EACCES ? "permission denied" : "operation not permitted");
	default:
		die(ERR_CANNOT_READ, "%s: %s", path, strerror(-error));
	}
}

/* The directories must be a machine and the module's directory. */
static void check_directories(const struct machine_choice *choice, const struct machine *machine)
{
	int error;

	if (choice->copy && disk_find_directory(choice->copy) == -ENOENT)
		die(ERR_NO_DIRECTORY, "%s: no such directory", choice->copy);
	if (choice->copy && !machine_is_there(machine))
		die(ERR_NOT_A_COPY, "%s: neither %s/proc nor %s/sys is a directory",
		    choice->copy, choice->copy, choice->copy);
	if (!strcmp(choice->root, SOURCE_DEFAULT))
		return;
	error = disk_find_directory(choice->root);
	if (error)
		die_of(choice->root, error);
	if (!module_has_cpus(machine))
		die(ERR_NOT_A_COPY, "%s: no copy of " SOURCE_DEFAULT ": it has no cpu*",
		    choice->root);
}

void machine_open(const struct machine_choice *choice, struct machine *machine)
{
	bool copied = strcmp(choice->root, SOURCE_DEFAULT);

	machine->root = choice->copy ? choice->copy : copied ? NO_MACHINE : "";
	machine->module = copied ? xstrdup(choice->root) :
				   format_string("%s%s", machine->root, SOURCE_DEFAULT);
	check_directories(choice, machine);
	machine->has_module = module_is_there(machine);
}

bool machine_is_known(const struct machine *machine)
{
	return strcmp(machine->root, NO_MACHINE);
}

void machine_close(struct machine *machine)
{
	free((char *)machine->module);
	machine->module = NULL;
}
