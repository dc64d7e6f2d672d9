// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Commands that are programs of their own. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "lib/memory.h"
#include "lib/signals.h"
#include "reader/errors.h"

/* Return: the directory of this program, which the caller frees, or NULL without /proc. */
static char *own_directory(void)
{
	char path[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path));
	char *end;

	if (len <= 0 || len == sizeof(path))
		return NULL;
	path[len] = '\0';
	end = strrchr(path, '/');
	if (!end)
		return NULL;
	*end = '\0';
	return xstrdup(path);
}

/* Executes the program in this directory. Return: an errno. */
static int execute(const char *directory, char **argv)
{
	char *path = format_string("%s/%s", directory, argv[0]);
	int error;

	execv(path, argv);
	error = errno;
	free(path);
	return error;
}

static bool is_absent(int error)
{
	return error == ENOENT || error == ENOTDIR;
}

int execute_command(const char *command, const char *package, int argc, char **argv)
{
	char *own = own_directory();
	int error = ENOENT;

	argv[0] = format_string("n3stat-%s", command);
	(void)argc;
	signals_restore();
	if (own)
		error = execute(own, argv);
	if (is_absent(error))
		error = execute(LIBEXEC, argv);
	if (is_absent(error))
		die(ERR_NOT_INSTALLED, "n3stat %s is not installed; it is in the package %s",
		    command, package);
	die(ERR_NOT_EXECUTABLE, "%s: %s", argv[0], strerror(error));
}
