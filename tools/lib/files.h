/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Files of a command; errors exit. */
#ifndef LIB_FILES_H
#define LIB_FILES_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "errors.h"

/* disk_list() with an empty array after an error; exits if out of memory. */
ssize_t xdisk_list(const char *path, char ***names);
/* Ends the program by errno, of this file: with @kind, or as a lack of permission. */
void __noreturn die_of_file(const struct error_kind *kind, const char *name);
/* Creates a file with mode 0600, for data that other users must not read. */
FILE *create_private(const char *name);

/* A private file that replaces an earlier one as a whole. */
struct output {
	FILE *file;
	const char *name;	/* NULL: the standard output */
	char *temporary;	/* written first; NULL for a device, a pipe or a link */
};

void output_open(struct output *output, const char *name);
/* Only now the file has its name. */
void output_close(struct output *output);
/* Removes what was written; not for a device, a pipe or a link. */
void output_drop(struct output *output);
/*
 * Return: whether input and output are the same regular file, which writing would destroy.
 * NULL and "-" stand for the standard output.
 */
bool is_same_file(const char *in, const char *out);

#endif
