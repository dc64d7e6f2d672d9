// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Files of /proc and /sys, or of a copy. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "lib/disk.h"
#include "proc_file.h"

ssize_t proc_file_read(char *text, size_t size, const char *format, ...)
{
	ssize_t len = -ENAMETOOLONG;
	char path[PATH_MAX];
	va_list args;

	va_start(args, format);
	if (vsnprintf(path, sizeof(path), format, args) < PATH_MAX)
		len = disk_read(path, text, size - 1);
	va_end(args);
	text[len > 0 ? len : 0] = '\0';
	return len;
}

ssize_t proc_file_list(char ***names, const char *format, ...)
{
	ssize_t nr = -ENAMETOOLONG;
	char path[PATH_MAX];
	va_list args;

	*names = NULL;
	va_start(args, format);
	if (vsnprintf(path, sizeof(path), format, args) < PATH_MAX)
		nr = disk_list(path, names);
	va_end(args);
	return nr;
}
