// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Waiting for the next snapshot or a signal. */
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "lib/clock.h"
#include "lib/signals.h"
#include "signal_clock.h"

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
