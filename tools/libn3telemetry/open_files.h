/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Files that a source reads again and again. They stay open: to open a file of sysfs and to close
 * it costs as much as to read a short one.
 */
#ifndef LIBN3TELEMETRY_OPEN_FILES_H
#define LIBN3TELEMETRY_OPEN_FILES_H

#include <stddef.h>
#include <sys/types.h>

/*
 * @files: tree of them by path, of tsearch()
 * @nr: their number
 * @most: limit of it, half of the descriptors that the process may have; others are closed at once
 */
struct open_files {
	void *files;
	size_t nr;
	size_t most;
};

/* The list is zeroed. */
void open_files_begin(struct open_files *open);
/*
 * One read() at @at, of a file that is opened again if it was removed meanwhile. Return: the number
 * of bytes, or a negative errno.
 */
ssize_t open_files_read_at(struct open_files *open, const char *path, char *buf, size_t size,
			   off_t at);
/* Reads up to @size bytes from the beginning. Return: as above. */
ssize_t open_files_read(struct open_files *open, const char *path, char *buf, size_t size);
void open_files_close(struct open_files *open);

#endif
