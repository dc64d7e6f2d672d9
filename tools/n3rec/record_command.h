/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The command of record, during which it records. */
#ifndef N3REC_RECORD_COMMAND_H
#define N3REC_RECORD_COMMAND_H

#include <stdbool.h>

/* After signal_clock_start(). Exits if the command cannot be started. */
void record_command_start(char **command);
/* After SIGCHLD. */
bool record_command_has_ended(void);
/* Waits for its end, which a signal hastens. Return: the exit status, as in a shell. */
int record_command_wait(bool interrupted);

#endif
