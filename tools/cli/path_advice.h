/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Advice at the end of a path: groups to read, and a command that finds the code. */
#ifndef CLI_PATH_ADVICE_H
#define CLI_PATH_ADVICE_H

#include <stdbool.h>

#include "libn3telemetry/path.h"
#include "libn3telemetry/places.h"
#include "libn3telemetry/texts.h"
#include "libn3telemetry/values.h"

/* The caller frees all texts. Return: NULL if there is no group to look at. */
char *path_groups_text(const struct path *path);
/* Share of the end; NULL if unknown. */
char *path_share_text(const struct path *path);
/* The minor metric below the end, with its estimate, or NULL. */
char *path_minor_text(const struct path *path, const struct value *value);
/* Command for a PMU and CPUs, NULL for all; spe: SPE is available. */
char *advice_command(const struct advice *advice, const char *pmu, const char *cpus, bool spe);
/* Command of an advice for a place of the measured machine. */
char *path_find_it_text(const struct advice *advice, const struct place *place);

#endif
