/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Notices about values: not counts of a Neoverse N3, or disabled by a setting of the module. */
#ifndef READER_NOTICES_H
#define READER_NOTICES_H

#include <stdio.h>

#include "libn3telemetry/snapshot.h"

/* Prints a line if counts are simulated. Return: the number of lines. */
size_t print_simulated(FILE *out);
/* Prints a line if the core is not a Neoverse N3. */
void print_other_core(FILE *out);

/*
 * Groups of the snapshot that are missing from the setting "groups", if the place has
 * metrics disabled by that. Return: their number.
 */
size_t disabled_groups(const struct snapshot *snapshot, const struct choice *choice,
		       size_t place, int groups[], size_t room);

/*
 * Command that samples all groups of the specification, those of the missing ones that are not in
 * it, and those already in the setting. The caller frees it.
 */
char *groups_command(const char *chosen, const int missing[], size_t nr);

/*
 * The next step for a place that has this word instead of values: "8 CPUs are contended: n3stat
 * doctor". The caller frees it.
 */
char *no_values_text(const struct place *place, const char *word);

/* The reason and a remedy, which the caller frees; NULL if no setting disables a metric. */
char *disabled_text(const struct snapshot *snapshot, const struct choice *choice, size_t place,
		    char **command);

#endif
