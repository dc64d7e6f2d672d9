/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Files by their whole paths: all that source.c and machine.c ask the system for.
 * What is no regular file cannot be read. The fuzzer has files in memory instead.
 */
#ifndef LIB_DISK_H
#define LIB_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Up to so many bytes. Return: how many, or a negative errno. */
ssize_t disk_read(const char *path, char *buf, size_t size);
/* The last bytes of a file. Return: whether it has so many. */
bool disk_read_end(const char *path, char *buf, size_t size);
/* Where a link leads. Return: the length, or a negative errno. */
ssize_t disk_read_link(const char *path, char *buf, size_t size);
bool disk_may_read(const char *path);
/* Return: 0 for a directory, or a negative errno. */
int disk_find_directory(const char *path);
/*
 * The names in a directory, without hidden ones, in any order.
 *
 * Return: how many, or a negative errno; *names ends with NULL and is to be freed with
 * free_names(), also after an error.
 */
ssize_t disk_list(const char *path, char ***names);

#endif
