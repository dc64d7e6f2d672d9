/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Advice at the end of a path: groups to read, and a command that finds the code. */
#ifndef CLI_PATH_ADVICE_H
#define CLI_PATH_ADVICE_H

#include "advice.h"
#include "libn3telemetry/path.h"
#include "libn3telemetry/places.h"
#include "libn3telemetry/values.h"

/*
 * Groups to look at, with the command that enables them if one is not sampled. The caller frees
 * all texts. Return: NULL if there is no group to look at.
 */
char *path_groups_text(const struct path *path);
/* Share of the end; NULL if unknown. */
char *path_share_text(const struct path *path);
/* The minor metric below the end, with its estimate, or NULL. */
char *path_minor_text(const struct path *path, const struct value *value);
/* Facts about a place of the measured machine. */
struct advice_facts path_facts(const struct place *place);
/* Command that finds the code of a metric of the tree. */
char *path_find_it_text(const char *metric, const struct advice_facts *facts,
			const struct place *place);
/* Its lead: with simulated counts it is for a real machine. */
const char *path_find_it_lead(const struct advice_facts *facts);

#endif
