/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Metrics of the tree that are disabled by a setting of the module. */
#ifndef CLI_DISABLED_H
#define CLI_DISABLED_H

#include "libn3telemetry/snapshot.h"

/*
 * Groups of the snapshot that are missing from the setting "groups", if the place has
 * metrics disabled by that. Return: their number.
 */
size_t disabled_groups(const struct snapshot *snapshot, const struct choice *choice,
		       size_t place, int groups[], size_t room);

/* The reason and a remedy, which the caller frees; NULL if no setting disables a metric. */
char *disabled_text(const struct snapshot *snapshot, const struct choice *choice, size_t place,
		    const char **command);

#endif
