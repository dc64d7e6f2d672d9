/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Wait for the next snapshot or a signal, without missing signals. */
#ifndef N3REC_WATCH_CLOCK_H
#define N3REC_WATCH_CLOCK_H

struct watch_clock {
	double interval;
	double next;
};

/* Blocks signals except in watch_clock_wait(). */
void watch_clock_start(struct watch_clock *clock, double interval);
/* Return: 0 when a snapshot is due, or the signal: SIGCHLD or one that ends the program. */
int watch_clock_wait(struct watch_clock *clock);
/* Restores signals in a child. */
void watch_clock_restore(void);

#endif
