// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The COMMAND behind "--": it waits until the events are open. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "spe_record_child.h"

static pid_t child;
static int go = -1;		/* a byte releases it, its end gives up */
static int trouble = -1;	/* tells why it could not be executed */
static int exit_status;

static void __noreturn become(char **command, int wait_for, int tell)
{
	int error;
	char byte;

	if (read(wait_for, &byte, 1) != 1)
		_exit(0);
	/* Ignored signals are inherited, and this one stops what writes to a pipe. */
	signal(SIGPIPE, SIG_DFL);
	execvp(command[0], command);
	error = errno;
	if (write(tell, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

/* Whatever the reason, it does not outlive a recorder that failed. */
static void end_child(void)
{
	close(go);
	if (child > 0)
		kill(child, SIGTERM);
}

pid_t spe_child_start(char **command)
{
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC))
		die(EXIT_OTHER, "no pipe: %s", strerror(errno));
	fflush(NULL);
	child = fork();
	if (child < 0)
		die(EXIT_OTHER, "%s: %s", command[0], strerror(errno));
	if (!child) {
		close(to[1]);
		become(command, to[0], from[1]);
	}
	close(to[0]);
	close(from[1]);
	go = to[1];
	trouble = from[0];
	before_dying = end_child;
	return child;
}

void spe_child_release(const char *name)
{
	int error;

	if (write(go, "", 1) == 1 && read(trouble, &error, sizeof(error)) == sizeof(error))
		die(error == EACCES ? EXIT_DENIED : EXIT_OTHER, "%s: %s", name, strerror(error));
	close(go);
	close(trouble);
	go = -1;
}

static bool wait_for(int flags)
{
	int status;
	pid_t ended;

	if (!child)
		return true;
	ended = waitpid(child, &status, flags);
	if (ended != child)
		return ended < 0 && errno != EINTR;
	child = 0;
	exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	return true;
}

bool spe_child_has_ended(int *status)
{
	bool ended = wait_for(WNOHANG);

	*status = exit_status;
	return ended;
}

bool spe_child_wait(int *status)
{
	bool ended = wait_for(0);

	*status = exit_status;
	return ended;
}

void spe_child_signal(int sig)
{
	if (child > 0)
		kill(child, sig);
}
