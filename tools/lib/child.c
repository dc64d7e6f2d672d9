// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Commands: child process that waits for a release, then executes one; check of its name. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "errors.h"
#include "memory.h"
#include "signals.h"

#define EXIT_UNKNOWN	127	/* as in a shell, for an unknown child */
/* execvp()'s default for an unset PATH. */
#define DEFAULT_PATH	"/bin:/usr/bin"

static void __noreturn become(char **command, int wait_for, int tell)
{
	int error;
	char byte;

	if (read(wait_for, &byte, 1) != 1)
		_exit(0);
	signals_restore();
	execvp(command[0], command);
	error = errno;
	if (write(tell, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(error == ENOENT ? 127 : 126);
}

static int open_pipes(int to[2], int from[2])
{
	int error;

	if (pipe2(to, O_CLOEXEC))
		return errno;
	if (!pipe2(from, O_CLOEXEC))
		return 0;
	error = errno;
	close(to[0]);
	close(to[1]);
	return error;
}

int child_start(struct child *child, char **command)
{
	int to[2], from[2], error = open_pipes(to, from);

	if (error)
		return error;
	fflush(NULL);
	*child = (struct child) { .pid = fork(), .go = to[1], .trouble = from[0] };
	error = child->pid < 0 ? errno : 0;
	if (!child->pid) {
		close(to[1]);
		become(command, to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	if (error) {
		child->pid = 0;
		close(to[1]);
		close(from[0]);
	}
	return error;
}

int child_release(struct child *child)
{
	int error;

	if (write(child->go, "", 1) != 1 ||
	    read(child->trouble, &error, sizeof(error)) != sizeof(error))
		error = 0;
	close(child->go);
	close(child->trouble);
	child->go = -1;
	return error;
}

bool child_wait(struct child *child, int flags, int *status)
{
	int how = W_EXITCODE(EXIT_UNKNOWN, 0);
	pid_t ended = waitpid(child->pid, &how, flags);

	/* ECHILD: it has already been reaped. */
	if (!ended || (ended < 0 && errno == EINTR))
		return false;
	child->pid = 0;
	child->killed_by = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
	*status = child->killed_by ? 128 + child->killed_by : WEXITSTATUS(how);
	return true;
}

/* Return: 0, or the exit code for the reason why not. */
static enum exit_code check_file(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return EXIT_NO_COMMAND;
	return S_ISREG(st.st_mode) && !access(path, X_OK) ? 0 : EXIT_NOT_EXECUTABLE;
}

/* Searches PATH. */
static enum exit_code find(const char *name)
{
	const char *path = getenv("PATH");
	char *list = xstrdup(path ? path : DEFAULT_PATH), *rest = list, *directory, *full;
	enum exit_code code = EXIT_NO_COMMAND, here;

	while (code && (directory = strsep(&rest, ":"))) {
		full = format_string("%s/%s", *directory ? directory : ".", name);
		here = check_file(full);
		free(full);
		if (here != EXIT_NO_COMMAND)
			code = here;
	}
	free(list);
	return code;
}

bool child_has_command(const char *name)
{
	return !find(name);
}

void child_check_command(const char *name)
{
	enum exit_code code;

	if (!*name)
		code = EXIT_NO_COMMAND;
	else
		code = strchr(name, '/') ? check_file(name) : find(name);
	if (code == EXIT_NO_COMMAND)
		die(ERR_COMMAND_NOT_FOUND,
		    "no command '%s'%s", name, strchr(name, '/') ? "" : " in PATH");
	if (code)
		die(ERR_NOT_EXECUTABLE,
		    "%s cannot be executed: no program, or no permission", name);
}
