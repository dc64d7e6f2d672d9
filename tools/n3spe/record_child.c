// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The COMMAND after "--": its process waits until the events are open. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/child.h"
#include "lib/util.h"
#include "record_child.h"

static struct child child = { .go = -1 };
static int exit_status;

/* Always: the command must not outlive a failed recorder. */
static void end_child(void)
{
	close(child.go);
	if (child.pid > 0)
		kill(child.pid, SIGTERM);
}

pid_t spe_child_start(char **command)
{
	int error = child_start(&child, command, NULL, NULL);

	if (error)
		die(ERR_CANNOT_START, "%s: %s", command[0], strerror(error));
	before_dying = end_child;
	return child.pid;
}

void spe_child_release(const char *name)
{
	int error = child_release(&child);

	if (error)
		die(error == EACCES ? ERR_PERMISSION_DENIED : ERR_CANNOT_START,
		    "%s: %s", name, strerror(error));
}

static bool wait_for(int flags)
{
	return !child.pid || child_wait(&child, flags, &exit_status);
}

bool spe_child_has_ended(void)
{
	return wait_for(WNOHANG);
}

bool spe_child_wait(int *status)
{
	bool ended = wait_for(0);

	*status = exit_status;
	return ended;
}

void spe_child_signal(int sig)
{
	if (child.pid > 0)
		kill(child.pid, sig);
}
