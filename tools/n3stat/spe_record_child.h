/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The COMMAND behind "--": it waits until the events are open. */
#ifndef N3STAT_SPE_RECORD_CHILD_H
#define N3STAT_SPE_RECORD_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* Return: its process, which has not yet become the command. */
pid_t spe_child_start(char **command);
/* Lets it go. Ends the program if there is no such command. */
void spe_child_release(const char *name);
/* Return: whether it has ended; its exit status then, as a shell gives it. */
bool spe_child_has_ended(int *status);
/* Waits until it ends, with its exit status, or a signal comes. Return: whether it ended. */
bool spe_child_wait(int *status);
void spe_child_signal(int sig);

#endif
