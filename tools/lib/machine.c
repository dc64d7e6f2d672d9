// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The machine that doctor examines: the live one, or a copy of its files (--root, --machine). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_list.h"
#include "disk.h"
#include "errors.h"
#include "files.h"
#include "machine.h"
#include "memory.h"
#include "names.h"

const struct machine this_machine = { .root = "" };

static char *full_path(const struct machine *machine, const char *path)
{
	return format_string("%s%s", machine->root, path);
}

/* Frees the path. */
static ssize_t read_text(char *path, char *text, size_t size)
{
	ssize_t len = disk_read(path, text, size - 1);

	text[len < 0 ? 0 : len] = '\0';
	free(path);
	return len;
}

ssize_t machine_read(const struct machine *machine, const char *path, char *text, size_t size)
{
	return read_text(full_path(machine, path), text, size);
}

ssize_t module_read(const struct machine *machine, const char *path, char *text, size_t size)
{
	return read_text(format_string("%s/%s", machine->module, path), text, size);
}

bool machine_contains(const struct machine *machine, const char *path, const char *what)
{
	char text[4096];

	machine_read(machine, path, text, sizeof(text));
	return strstr(text, what);
}

bool machine_read_end(const struct machine *machine, const char *path, char *end, size_t size)
{
	char *full = full_path(machine, path);
	bool whole = disk_read_end(full, end, size);

	free(full);
	return whole;
}

bool machine_read_link(const struct machine *machine, const char *path, char *to, size_t size)
{
	char *full = full_path(machine, path);
	ssize_t len = disk_read_link(full, to, size - 1);

	to[len < 0 ? 0 : len] = '\0';
	free(full);
	return len >= 0;
}

bool machine_may_read(const struct machine *machine, const char *path)
{
	char *full = full_path(machine, path);
	bool may = disk_may_read(full);

	free(full);
	return may;
}

char **machine_list(const struct machine *machine, const char *path)
{
	char *full = full_path(machine, path);
	char **names;

	xdisk_list(full, &names);
	free(full);
	return names;
}

char **module_list(const struct machine *machine)
{
	char **names;

	xdisk_list(machine->module, &names);
	return names;
}

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

static bool has_directory(const struct machine *machine, const char *path)
{
	char *full = full_path(machine, path);
	bool has = !disk_find_directory(full);

	free(full);
	return has;
}

/* Return: 0 or an errno. */
static int find_cpus(const char *path)
{
	char **names;
	ssize_t nr = xdisk_list(path, &names);
	bool found = cpu_is_among(names);

	free_names(names);
	if (nr < 0)
		return -(int)nr;
	return found ? 0 : ENODATA;
}

static void check_copy(const char *path)
{
	int error = find_cpus(path);
	const struct error_kind *kind;
	const char *text;

	if (!error)
		return;
	errno = error;
	if (errno == EACCES)
		die_of_file(ERR_CANNOT_READ, path);
	kind = access_error(error, &text);
	die(kind, "%s: %s", path, text);
}

/* The directories must be a machine and the module's directory. */
static void check_directories(const struct machine_choice *choice, const struct machine *machine)
{
	if (choice->copy && disk_find_directory(choice->copy) == -ENOENT)
		die(ERR_NO_DIRECTORY, "%s: no such directory", choice->copy);
	if (choice->copy && !has_directory(machine, "/proc") && !has_directory(machine, "/sys"))
		die(ERR_NOT_A_COPY, "%s: neither %s/proc nor %s/sys is a directory",
		    choice->copy, choice->copy, choice->copy);
	if (strcmp(choice->root, SOURCE_DEFAULT))
		check_copy(choice->root);
}

void machine_open(const struct machine_choice *choice, struct machine *machine)
{
	bool copied = strcmp(choice->root, SOURCE_DEFAULT);

	machine->root = choice->copy ? choice->copy : copied ? NO_MACHINE : "";
	machine->module = copied ? xstrdup(choice->root) :
				   format_string("%s%s", machine->root, SOURCE_DEFAULT);
	check_directories(choice, machine);
	machine->has_module = !disk_find_directory(machine->module);
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
