/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Files of a command; errors exit. */
#ifndef LIB_FILES_H
#define LIB_FILES_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* disk_list() with an empty array after an error; exits if out of memory. */
ssize_t xdisk_list(const char *path, char ***names);
/* Creates a file with mode 0600, for data that other users must not read. */
FILE *create_private(const char *name);
/*
 * Return: whether input and output are the same regular file, which writing would destroy.
 * NULL and "-" stand for the standard output.
 */
bool is_same_file(const char *in, const char *out);

#endif
