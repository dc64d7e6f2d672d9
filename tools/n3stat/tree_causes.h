/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat tree: causes of a node as counts, which an extra group has. */
#ifndef N3STAT_TREE_CAUSES_H
#define N3STAT_TREE_CAUSES_H

#include "libn3telemetry/choice.h"

/* Selects the groups of causes that the setting "groups" has. Return: false after an error. */
bool causes_choose(struct choice *choice);
/*
 * The command that adds a group to the setting; the caller frees it. NULL without the setting, as
 * in a copy of other files.
 */
char *causes_command(int group);

#endif
