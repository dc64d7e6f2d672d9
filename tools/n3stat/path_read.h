/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The path down the decision tree at a place: the module's own, as its file
 * "bottleneck" gives it, where that is known, else the one that the values lead to.
 * The module goes by errors of fewer slices than it prints.
 */
#ifndef N3STAT_PATH_READ_H
#define N3STAT_PATH_READ_H

#include "path.h"
#include "recording.h"
#include "snapshot.h"

void path_of_snapshot(struct path *path, const struct snapshot *snapshot,
		      const struct choice *choice, size_t place);
/* The module's own, in a recording's current snapshot. Return: false if it is not there. */
bool path_of_recording(struct path *path, const struct recording *recording, size_t place);

/* What a snapshot needs for it: the groups of the tree. */
void path_choose_groups(struct choice *choice);
/* And the module's own path, where those are chosen. */
void path_choose_bottleneck(struct choice *choice);

#endif
