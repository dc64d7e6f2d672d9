/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Why metrics of the tree are disabled: a setting says so. */
#ifndef CLI_DISABLED_H
#define CLI_DISABLED_H

#include "libn3telemetry/snapshot.h"

/*
 * The groups of the snapshot that the setting groups leaves out, as far as metrics of the
 * place are disabled by that. Return: how many.
 */
size_t disabled_groups(const struct snapshot *snapshot, const struct choice *choice,
		       size_t place, int groups[], size_t room);

/* The reason, to be freed, and what changes it; NULL if none is disabled by a setting. */
char *disabled_text(const struct snapshot *snapshot, const struct choice *choice, size_t place,
		    const char **command);

#endif
