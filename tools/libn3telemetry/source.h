/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Where values come from: the only unit that knows it is a directory of files.
 *
 * Paths are relative to it, as in "cpu3/topdown_l1".
 */
#ifndef LIBN3TELEMETRY_SOURCE_H
#define LIBN3TELEMETRY_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define SOURCE_DEFAULT	"/sys/kernel/n3_telemetry"

/* A sysfs file is at most one page, and an arm64 page at most 64 KiB. */
#define SOURCE_MAX_TEXT	65536

/* Whether root is the live module's own directory, and its name for messages. */
struct source_info {
	const char *name;
	bool live;
};

/* Words for a user who may not read the live module, by errno, to be freed; NULL: none */
extern char *(*source_advice)(int error);

/* Ends the program when there is nothing to read. */
void source_open(const char *root);
struct source_info source_info(void);

/*
 * The text of a file, printable and NUL-terminated, which stays valid until
 * the next call. Return: its length, or a negative errno. A source that has
 * gone altogether, or may not be read, ends the program.
 */
ssize_t source_read(const char *path, const char **text);

/*
 * The sorted names in a directory ("" is the top). Return: how many; *names ends
 * with NULL and is to be freed with free_names().
 */
size_t source_list(const char *directory, char ***names);

#endif
