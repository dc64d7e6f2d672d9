// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Commands that are programs of their own. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "lib/child.h"
#include "lib/memory.h"
#include "lib/signals.h"
#include "reader/errors.h"

#define SPE	"n3spe"

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

/*
 * Return: the path of the command's link or, in a directory without links, of its program, which
 * the caller frees; or NULL.
 */
static char *find_program(const char *command, const char *executable)
{
	char *own = own_directory();
	char *const paths[] = {
		format_string("%s/n3stat-%s", own ? own : LIBEXEC, command),
		format_string("%s/%s", own ? own : LIBEXEC, executable),
		format_string("%s/n3stat-%s", LIBEXEC, command),
	};
	char *found = NULL;

	for (size_t i = 0; i < NR(paths); i++)
		if (!found && !access(paths[i], F_OK))
			found = paths[i];
		else
			free(paths[i]);
	free(own);
	return found;
}

bool has_spe_command(void)
{
	char *path = find_program("spe", SPE);
	bool found = path;

	free(path);
	return found;
}

static void interrupt(int sig)
{
	(void)sig;
}

static int run(char **words)
{
	struct child child;
	int status, error = child_start(&child, words);

	if (!error)
		error = child_release(&child);
	if (error)
		die(ERR_CANNOT_START, "%s: %s", words[0], strerror(error));
	while (!child_wait(&child, 0, &status))
		kill(child.pid, SIGTERM);
	return status;
}

int run_command(const char *line)
{
	char *copy = xstrdup(line), *rest = copy, *program = NULL;
	char **words = xreallocarray(NULL, strlen(line) + 1, sizeof(*words)), **first = words;
	int status;
	size_t nr = 0;

	do
		words[nr] = strsep(&rest, " ");
	while (words[nr++]);
	if (!strcmp(words[0], "n3stat") && words[1]) {
		program = find_program(words[1], SPE);
		*++first = program ? program : words[1];
	}
	signals_catch(interrupt);
	status = run(first);
	free(program);
	free(words);
	free(copy);
	return status;
}

int execute_command(const char *command, const char *executable, int argc, char **argv)
{
	char *path = find_program(command, executable);

	(void)argc;
	if (!path)
		die(ERR_NOT_INSTALLED, "n3stat %s is not installed; it is in the package %s",
		    command, strcmp(executable, SPE) ? "n3stat-tools" : executable);
	argv[0] = format_string("n3stat-%s", command);
	signals_restore();
	execv(path, argv);
	die(ERR_NOT_EXECUTABLE, "%s: %s", argv[0], strerror(errno));
}
