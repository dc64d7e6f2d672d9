/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat top: its keys, what they do, and what the help says about them. */
#ifndef N3STAT_TOP_KEYS_H
#define N3STAT_TOP_KEYS_H

#include "top_state.h"

/* Return: false when top is to end. */
bool top_key(struct top *top, int key);

/*
 * The lines of the help, one for each thing that keys can do.
 *
 * Return: what they do, or NULL behind the last line; *names is to be freed.
 */
const char *top_keys_help(size_t line, char **names);

#endif
