/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Waiting for the next snapshot or a signal, whichever is first; none is missed. */
#ifndef N3REC_WATCH_CLOCK_H
#define N3REC_WATCH_CLOCK_H

struct watch_clock {
	double interval;
	double next;
};

/* From here on signals wait until they are asked for. */
void watch_clock_start(struct watch_clock *clock, double interval);
/* Return: 0 when it is time for a snapshot, or the signal: SIGCHLD or one that ends us. */
int watch_clock_wait(struct watch_clock *clock);
/* In a child: signals as they were. */
void watch_clock_restore(void);

#endif
