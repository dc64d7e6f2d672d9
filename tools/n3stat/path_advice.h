/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What to do at the end of a path: more groups to read, and what finds the code. */
#ifndef N3STAT_PATH_ADVICE_H
#define N3STAT_PATH_ADVICE_H

#include "path.h"
#include "places.h"
#include "texts.h"

/* Both to be freed. Return: NULL if there is no group to look at. */
char *path_groups_text(const struct path *path);
/* The command of an advice, for a place and the machine that values are of. */
char *path_find_it_text(const struct advice *advice, const struct place *place);

#endif
