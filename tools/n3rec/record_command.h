/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The command of record, during which it records. */
#ifndef N3REC_RECORD_COMMAND_H
#define N3REC_RECORD_COMMAND_H

#include <stdbool.h>

#include "lib/child.h"

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
