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

/* Executes the program of this name in the directory. Return: an errno. */
static int execute(const char *directory, const char *name, char **argv)
{
	char *path = format_string("%s/%s", directory, name);
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

int execute_command(const char *command, const char *executable, int argc, char **argv)
{
	char *own = own_directory();
	int error = ENOENT;

	argv[0] = format_string("n3stat-%s", command);
	(void)argc;
	signals_restore();
	if (own)
		error = execute(own, argv[0], argv);
	/* without links, as in a directory of copied programs */
	if (own && is_absent(error))
		error = execute(own, executable, argv);
	if (is_absent(error))
		error = execute(LIBEXEC, argv[0], argv);
	if (is_absent(error))
		die(ERR_NOT_INSTALLED, "n3stat %s is not installed; it is in the package %s",
		    command, strcmp(executable, "n3spe") ? "n3stat-tools" : executable);
	die(ERR_NOT_EXECUTABLE, "%s: %s", argv[0], strerror(error));
}
