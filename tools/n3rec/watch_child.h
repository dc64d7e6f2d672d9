/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Waiting of watch for the next snapshot or a signal, and the command that it runs, one at a
 * time, with the event in its environment.
 */
#ifndef N3REC_WATCH_CHILD_H
#define N3REC_WATCH_CHILD_H

#include "watch_state.h"

struct watch_clock {
	double interval;
	double next;
};

/* Blocks signals except in watch_clock_wait(). */
void watch_clock_start(struct watch_clock *clock, double interval);
/* Return: 0 when a snapshot is due, or the signal: SIGCHLD or one that ends the program. */
int watch_clock_wait(struct watch_clock *clock);

/* Return: 0, or an errno. */
int watch_child_start(char **command, const struct watch_state *state,
		      const struct watch_place *place);
/* Return: its pid, or 0. */
int watch_child_pid(void);
/* Whether it has ended; *status is its exit status, or 128 + signal as in a shell. */
bool watch_child_has_ended(int *status);

#endif
