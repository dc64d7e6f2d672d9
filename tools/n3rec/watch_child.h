/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The command that watch runs: one at a time, with what happened in its environment. */
#ifndef N3REC_WATCH_CHILD_H
#define N3REC_WATCH_CHILD_H

#include "watch_state.h"

/* Return: 0, or why it does not run. */
int watch_child_start(char **command, const struct watch_state *state,
		      const struct watch_place *place);
/* Return: its process, 0 when there is none. */
int watch_child_pid(void);
/* If it has ended: its exit status, or 128 and the signal, as a shell has it. */
bool watch_child_has_ended(int *status);

#endif
