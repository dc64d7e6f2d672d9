/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The COMMAND after "--": its process waits until the events are open. */
#ifndef N3STAT_SPE_RECORD_CHILD_H
#define N3STAT_SPE_RECORD_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* Return: its process, which has not yet executed the command. */
pid_t spe_child_start(char **command);
/* Starts the command. Exits if it does not exist. */
void spe_child_release(const char *name);
/* Return: whether it has ended; *status: its exit status, as in a shell. */
bool spe_child_has_ended(int *status);
/* Waits for the command to end, or for a signal. Return: whether it ended. */
bool spe_child_wait(int *status);
void spe_child_signal(int sig);

#endif
