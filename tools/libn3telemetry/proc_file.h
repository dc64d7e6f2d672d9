/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Files of /proc and /sys, or of a copy, by the parts of their paths. */
#ifndef LIBN3TELEMETRY_PROC_FILE_H
#define LIBN3TELEMETRY_PROC_FILE_H

#include <sys/types.h>

#include "lib/errors.h"

/*
 * Reads up to @size - 1 bytes and terminates them; the text is empty after an error. Return: the
 * length, or a negative errno.
 */
ssize_t __printf(3, 4) proc_file_read(char *text, size_t size, const char *format, ...);
/* As disk_list(). */
ssize_t __printf(2, 3) proc_file_list(char ***names, const char *format, ...);

#endif
