// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat selftest --output: a complete report replaces an older one atomically. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/errors.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "lib/streams.h"
#include "selftest.h"

static void __noreturn failed(const char *path)
{
	die(errno == EACCES ? ERR_PERMISSION_DENIED : ERR_CANNOT_WRITE,
	    "%s: %s", path, strerror(errno));
}

/* rename() must not replace a device, a pipe or a link. */
static bool is_replaceable(const char *path)
{
	struct stat st;

	return lstat(path, &st) ? errno == ENOENT : S_ISREG(st.st_mode);
}

/* Return: a descriptor of a new file in the same directory, mode 0600; the caller frees *name. */
static int open_temporary(const char *path, char **name)
{
	int fd;

	*name = format_string("%s.XXXXXX", path);
	fd = mkostemp(*name, O_CLOEXEC);
	if (fd < 0)
		failed(path);
	return fd;
}

void selftest_check_output(const char *path)
{
	struct stat st;
	char *name;

	if (!stat(path, &st) && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		failed(path);
	}
	if (is_replaceable(path)) {
		close(open_temporary(path, &name));
		unlink(name);
		free(name);
	} else if (access(path, W_OK)) {
		failed(path);
	}
}

static void write_temporary(const char *path, const char *text)
{
	char *name;
	FILE *file = fdopen(open_temporary(path, &name), "w");

	if (!file || fputs(text, file) < 0 || fflush(file) || fsync(fileno(file)) ||
	    rename(name, path)) {
		int error = errno;

		unlink(name);
		errno = error;
		failed(path);
	}
	fclose(file);
	free(name);
}

void selftest_write(const char *path, const char *text)
{
	FILE *file;

	if (is_replaceable(path)) {
		write_temporary(path, text);
		return;
	}
	file = create_private(path);
	fputs(text, file);
	flush_output(file);
	fclose(file);
}
