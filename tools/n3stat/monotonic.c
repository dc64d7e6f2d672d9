// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Seconds that go on whatever happens to the time of day. */
#include <errno.h>
#include <time.h>

#include "monotonic.h"

double monotonic_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void sleep_until(double time)
{
	struct timespec at = {
		.tv_sec = (time_t)time,
		.tv_nsec = (long)((time - (double)(time_t)time) * 1e9),
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
		;
}
