/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Files by their whole paths: all that machine.c asks the system for. */
#ifndef N3STAT_FILES_H
#define N3STAT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* As the functions of machine.h. What is no regular file cannot be read. */
ssize_t file_read(const char *path, char *text, size_t size);
bool file_read_end(const char *path, char *end, size_t size);
bool file_read_link(const char *path, char *to, size_t size);
bool file_may_read(const char *path);
bool file_is_there(const char *path);
char **file_list(const char *path);

#endif
