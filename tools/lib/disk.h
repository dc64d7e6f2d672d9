/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * File access by absolute path. Only regular files can be read.
 * The fuzzer replaces this unit by files in memory.
 */
#ifndef LIB_DISK_H
#define LIB_DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Reads up to @size bytes. Return: their number, or a negative errno. */
ssize_t disk_read(const char *path, char *buf, size_t size);
/*
 * The same in steps, for files that are read again and again. disk_open() returns a descriptor, or
 * a negative errno; disk_read_at() the number of bytes of one read(), or a negative errno.
 */
int disk_open(const char *path);
ssize_t disk_read_at(int fd, char *buf, size_t size, off_t at);
void disk_close(int fd);
/* Reads the last @size bytes of a file. Return: whether it is large enough. */
bool disk_read_end(const char *path, char *buf, size_t size);
/* Reads a symbolic link. Return: the length, or a negative errno. */
ssize_t disk_read_link(const char *path, char *buf, size_t size);
bool disk_may_read(const char *path);
/* Return: 0 for a directory, or a negative errno. */
int disk_find_directory(const char *path);
/*
 * Lists the names in a directory, without hidden ones, unsorted.
 *
 * Return: their number, or a negative errno; *names is NULL-terminated and must be freed
 * with free_names(), and is NULL after an error.
 */
ssize_t disk_list(const char *path, char ***names);
/* The same of directories alone, which must not be links; also of those that begin with ".". */
ssize_t disk_list_directories(const char *path, char ***names);
/* The number of a file. Return: whether it exists. */
bool disk_find_inode(const char *path, unsigned long long *inode);
/* Whether the directory is one of a hierarchy of cgroups, version 2. */
bool disk_is_cgroup2(const char *path);

#endif
