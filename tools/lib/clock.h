/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Time, sleep and intervals. */
#ifndef LIB_CLOCK_H
#define LIB_CLOCK_H

#include <stdbool.h>

/* Seconds of the monotonic clock. */
double monotonic_now(void);
/* Unix time in seconds. */
double unix_now(void);
void sleep_until(double time);

/* Interval timer without drift. */
struct ticker {
	double next;
	double interval;
};

void ticker_start(struct ticker *ticker, double interval);
/*
 * Waits for the next fixed time, so that the cost of reports does not add up. A change of the
 * terminal's size does not interrupt it.
 *
 * Return: false if interrupted by a signal.
 */
bool ticker_wait(struct ticker *ticker);

#endif
