// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Time, sleep and intervals. */
#include <errno.h>
#include <stdbool.h>
#include <time.h>

#include "clock.h"
#include "terminal.h"

static double seconds_of(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double monotonic_now(void)
{
	return seconds_of(CLOCK_MONOTONIC);
}

double unix_now(void)
{
	return seconds_of(CLOCK_REALTIME);
}

/* Return: false if interrupted by a signal. */
static bool sleep_or_signal(double time)
{
	struct timespec at = {
		.tv_sec = (time_t)time,
		.tv_nsec = (long)((time - (double)(time_t)time) * 1e9),
	};

	return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != EINTR;
}

void sleep_until(double time)
{
	while (!sleep_or_signal(time))
		;
}

void ticker_start(struct ticker *ticker, double interval)
{
	ticker->next = monotonic_now();
	ticker->interval = interval;
}

bool ticker_wait(struct ticker *ticker)
{
	double now;

	ticker->next += ticker->interval;
	while (!sleep_or_signal(ticker->next))
		if (!screen_resized())
			return false;
	/* Do not catch up after the process was stopped. */
	now = monotonic_now();
	if (now - ticker->next > (ticker->interval > 1 ? ticker->interval : 1))
		ticker->next = now;
	return true;
}
