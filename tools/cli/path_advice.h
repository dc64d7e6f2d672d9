/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What to do at the end of a path: more groups to read, and what finds the code. */
#ifndef CLI_PATH_ADVICE_H
#define CLI_PATH_ADVICE_H

#include "libn3telemetry/path.h"
#include "libn3telemetry/places.h"
#include "libn3telemetry/texts.h"
#include "libn3telemetry/values.h"

/* All are to be freed. Return: NULL if there is no group to look at. */
char *path_groups_text(const struct path *path);
/* What its end stands for; NULL if that is unknown. */
char *path_share_text(const struct path *path);
/* What is below its end and minor, with its estimate; NULL if nothing is. */
char *path_minor_text(const struct path *path, const struct value *value);
/* The command of an advice, for a place and the machine that values are of. */
char *path_find_it_text(const struct advice *advice, const struct place *place);

#endif
