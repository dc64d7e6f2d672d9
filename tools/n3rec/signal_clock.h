/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Waiting for the next snapshot or a signal, without missing a signal: of those that end the
 * program, and SIGCHLD.
 */
#ifndef N3REC_SIGNAL_CLOCK_H
#define N3REC_SIGNAL_CLOCK_H

struct signal_clock {
	double interval;
	double next;
};

/* From then on, the signals do not end the program. They interrupt a blocked write(). */
void signal_clock_start(struct signal_clock *clock, double interval);
/* Return: 0 when a snapshot is due, or the signal. */
int signal_clock_wait(struct signal_clock *clock);
/* Return: 0 at this time in terms of monotonic_now(), or the signal. */
int signal_clock_wait_until(double time);
#endif
