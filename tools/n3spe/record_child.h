/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The COMMAND after "--": its process waits until the events are open. */
#ifndef N3SPE_RECORD_CHILD_H
#define N3SPE_RECORD_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* Return: its process, which has not yet executed the command. */
pid_t spe_child_start(char **command);
/* Starts the command. Exits if it does not exist. */
void spe_child_release(const char *name);
bool spe_child_has_ended(void);
/*
 * Waits until it ends or a signal comes. Return: whether it ended; *status is then its exit
 * status as a shell gives it.
 */
bool spe_child_wait(int *status);
void spe_child_signal(int sig);

#endif
