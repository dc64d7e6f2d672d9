/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The machine that doctor looks at: the only unit that knows where its files are.
 *
 * Paths are the usual ones, as in "/proc/modules"; those of the module_
 * functions are below the module's own directory, as in "cpu3/status".
 */
#ifndef N3STAT_MACHINE_H
#define N3STAT_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* As much of a file as is looked at: all of any file of the module. */
#define MACHINE_MAX_TEXT	65536

struct machine {
	const char *root;	/* "" for this machine, else where the copy of one is */
	const char *module;	/* the module's directory in sysfs */
	bool has_module;	/* that directory is there */
};

/* That n3stat runs on, without the module's directory. */
extern const struct machine this_machine;

/* Return: the length, or a negative errno. A text is NUL-terminated, "" after an error. */
ssize_t machine_read(const struct machine *machine, const char *path, char *text, size_t size);
ssize_t module_read(const struct machine *machine, const char *path, char *text, size_t size);
/* Return: whether a text is in the first 4 KB of a file; "" is in any. */
bool machine_contains(const struct machine *machine, const char *path, const char *what);
/* The last size bytes of a file. Return: whether it has so many. */
bool machine_read_end(const struct machine *machine, const char *path, char *end, size_t size);
/* Where a link leads. Return: whether it is a link. */
bool machine_read_link(const struct machine *machine, const char *path, char *to, size_t size);
bool machine_may_read(const struct machine *machine, const char *path);

/* Names in a directory, NULL-terminated and to be freed with free_names(). */
char **machine_list(const struct machine *machine, const char *path);
char **module_list(const struct machine *machine);

/* A machine has /proc or /sys. */
bool machine_is_there(const struct machine *machine);
bool module_is_there(const struct machine *machine);
bool module_has_cpus(const struct machine *machine);

#endif
