// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The command of n3stat record, which records while it runs. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "lib/errors.h"
#include "record_command.h"
#include "signal_clock.h"

/* Like perf record, with any signal. */
static void terminate(void *context)
{
	const struct record_command *command = context;

	if (command->child.pid > 0)
		kill(command->child.pid, SIGTERM);
}

void record_command_start(struct record_command *command, char **words)
{
	int error = child_start(&command->child, words);

	if (!error)
		error = child_release(&command->child);
	if (error)
		die(ERR_CANNOT_START, "%s: %s", words[0], strerror(error));
	/* It must not outlive a failed recorder. */
	before_dying(terminate, command);
}

bool record_command_has_ended(struct record_command *command)
{
	return !command->child.pid || child_wait(&command->child, WNOHANG, &command->status);
}

int record_command_wait(struct record_command *command, bool interrupted)
{
	int sig;

	if (interrupted)
		terminate(command);
	while (!record_command_has_ended(command)) {
		sig = signal_clock_wait_until(INFINITY);
		if (sig && sig != SIGCHLD)
			terminate(command);
	}
	before_dying(NULL, NULL);
	return command->status;
}
