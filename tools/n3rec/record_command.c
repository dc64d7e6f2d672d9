// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The command of record, during which it records. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "lib/child.h"
#include "lib/errors.h"
#include "record_command.h"
#include "signal_clock.h"

static struct child child;
static int status;

/* Like perf record, with any signal. */
static void terminate(void)
{
	if (child.pid > 0)
		kill(child.pid, SIGTERM);
}

void record_command_start(char **command)
{
	int error = child_start(&child, command);

	if (!error)
		error = child_release(&child);
	if (error)
		die(ERR_CANNOT_START, "%s: %s", command[0], strerror(error));
	/* It must not outlive a failed recorder. */
	before_dying = terminate;
}

bool record_command_has_ended(void)
{
	return !child.pid || child_wait(&child, WNOHANG, &status);
}

int record_command_wait(bool interrupted)
{
	int sig;

	if (interrupted)
		terminate();
	while (!record_command_has_ended()) {
		sig = signal_clock_wait_until(INFINITY);
		if (sig && sig != SIGCHLD)
			terminate();
	}
	return status;
}
