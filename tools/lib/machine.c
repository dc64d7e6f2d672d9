// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The machine that doctor examines: the live one, or a copy of its files. */
#include <stdlib.h>
#include <string.h>

#include "cpu_list.h"
#include "disk.h"
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

static bool has_directory(const struct machine *machine, const char *path)
{
	char *full = full_path(machine, path);
	bool has = !disk_find_directory(full);

	free(full);
	return has;
}

bool machine_is_there(const struct machine *machine)
{
	return has_directory(machine, "/proc") || has_directory(machine, "/sys");
}

bool module_is_there(const struct machine *machine)
{
	return !disk_find_directory(machine->module);
}

bool module_has_cpus(const struct machine *machine)
{
	char **names = module_list(machine);
	bool has = false;

	for (size_t i = 0; names[i]; i++)
		has |= cpu_number_behind(names[i], "cpu") >= 0;
	free_names(names);
	return has;
}
