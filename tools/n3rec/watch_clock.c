// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Wait for the next snapshot or a signal, without missing signals. */
#include <errno.h>
#include <time.h>

#include "lib/signals.h"
#include "lib/util.h"
#include "watch_clock.h"

static sigset_t ours;
static sigset_t before;

void watch_clock_start(struct watch_clock *clock, double interval)
{
	signals_to_wait_for(&ours);
	sigaddset(&ours, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ours, &before);
	*clock = (struct watch_clock) { interval, monotonic_now() + interval };
}

void watch_clock_restore(void)
{
	sigprocmask(SIG_SETMASK, &before, NULL);
}

int watch_clock_wait(struct watch_clock *clock)
{
	double left = clock->next - monotonic_now();
	struct timespec timeout = { 0 };
	int sig;

	if (left > 0) {
		timeout.tv_sec = (time_t)left;
		timeout.tv_nsec = (long)((left - (double)timeout.tv_sec) * 1e9);
	}
	sig = sigtimedwait(&ours, NULL, &timeout);
	if (sig > 0)
		return sig;
	/* Stopped and continued. */
	if (errno == EINTR)
		return SIGCHLD;
	clock->next += clock->interval;
	/* Do not catch up when late. */
	if (clock->next < monotonic_now())
		clock->next = monotonic_now() + clock->interval;
	return 0;
}
