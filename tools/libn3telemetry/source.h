/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Source of values. Only this unit knows that it is a directory of files; paths are relative
 * to it, as in "cpu3/topdown_l1".
 */
#ifndef LIBN3TELEMETRY_SOURCE_H
#define LIBN3TELEMETRY_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define SOURCE_DEFAULT	"/sys/kernel/n3_telemetry"

/* A sysfs file is at most one page, and an arm64 page at most 64 KiB. */
#define SOURCE_MAX_TEXT	65536

/* Whether root is the loaded module's directory, and its name for messages. */
struct source_info {
	const char *name;
	bool live;
};

/* Words for a user who may not read the live module, by errno, to be freed; NULL: none */
extern char *(*source_advice)(int error);

/* Exits if there is nothing to read. */
void source_open(const char *root);
struct source_info source_info(void);

/*
 * Reads a file as printable, NUL-terminated text, valid until the next call. Return: its
 * length, or a negative errno. Exits if the whole source has vanished or denies access.
 */
ssize_t source_read(const char *path, const char **text);

/*
 * Lists the sorted names in a directory ("" is the top). Return: their number; *names is
 * NULL-terminated and must be freed with free_names().
 */
size_t source_list(const char *directory, char ***names);

#endif
