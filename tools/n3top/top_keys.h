/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat top: keys, their actions and their help. */
#ifndef N3TOP_TOP_KEYS_H
#define N3TOP_TOP_KEYS_H

#include "top_state.h"

/* Return: false to quit. */
bool top_key(struct top *top, int key);

/*
 * Lines of the help, one per action.
 *
 * Return: the action, or NULL after the last line; the caller frees *names.
 */
const char *top_keys_help(size_t line, char **names);

#endif
