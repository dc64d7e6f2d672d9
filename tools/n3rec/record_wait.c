// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Waiting for the next snapshot, a signal, or the end of the command. */
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "lib/clock.h"
#include "lib/errors.h"
#include "lib/signals.h"
#include "record_wait.h"

#define MAX_WAIT	1e6	/* seconds */

static atomic_int caught;

static void on_signal(int sig)
{
	if (sig != SIGCHLD || !caught)
		caught = sig;
}

void signal_clock_start(struct signal_clock *clock, double interval)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	signals_catch(on_signal);
	sigaction(SIGCHLD, &action, NULL);
	*clock = (struct signal_clock) { interval, monotonic_now() + interval };
}

/* With the signals blocked except in ppoll(), none is missed. */
int signal_clock_wait_until(double time)
{
	double left = fmin(time - monotonic_now(), MAX_WAIT);
	struct timespec timeout = { 0 };
	sigset_t ours, before;
	bool is_over = true;
	int sig;

	if (left > 0) {
		timeout.tv_sec = (time_t)left;
		timeout.tv_nsec = (long)((left - (double)timeout.tv_sec) * 1e9);
	}
	signals_to_wait_for(&ours);
	sigaddset(&ours, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ours, &before);
	if (!caught)
		is_over = !ppoll(NULL, 0, &timeout, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
	sig = atomic_exchange(&caught, 0);
	/* Stopped and continued. */
	return sig || is_over ? sig : SIGCHLD;
}

int signal_clock_wait(struct signal_clock *clock)
{
	int sig = signal_clock_wait_until(clock->next);

	if (sig)
		return sig;
	clock->next += clock->interval;
	/* Do not catch up when late. */
	if (clock->next < monotonic_now())
		clock->next = monotonic_now() + clock->interval;
	return 0;
}

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
