/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The command that watch runs: one at a time, with the event in its environment. */
#ifndef N3REC_WATCH_CHILD_H
#define N3REC_WATCH_CHILD_H

#include "watch_state.h"

/* Return: 0, or an errno. */
int watch_child_start(char **command, const struct watch_state *state,
		      const struct watch_place *place);
/* Return: its pid, or 0. */
int watch_child_pid(void);
/* Whether it has ended; *status is its exit status, or 128 + signal as in a shell. */
bool watch_child_has_ended(int *status);

#endif
