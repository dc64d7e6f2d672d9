/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Waiting for the next snapshot, a signal, or the end of the command that is recorded. No signal
 * that ends the program is missed, nor SIGCHLD.
 */
#ifndef N3REC_RECORD_WAIT_H
#define N3REC_RECORD_WAIT_H

#include <stdbool.h>

#include "lib/child.h"

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

struct record_command {
	struct child child;
	int status;		/* once it has ended */
};

/*
 * After signal_clock_start(). Exits if the command cannot be started. @command stays in use until
 * record_command_wait().
 */
void record_command_start(struct record_command *command, char **words);
/* After SIGCHLD. */
bool record_command_has_ended(struct record_command *command);
/* Waits for its end, which a signal hastens. Return: the exit status, as in a shell. */
int record_command_wait(struct record_command *command, bool interrupted);

#endif
