/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The path down the decision tree at a place: the module's own, as its file
 * "bottleneck" gives it, where that is known, else the one that the values lead to.
 * The module goes by errors of fewer slices than it prints.
 */
#ifndef LIBN3TELEMETRY_PATH_READ_H
#define LIBN3TELEMETRY_PATH_READ_H

#include "bottleneck_file.h"
#include "path.h"
#include "snapshot.h"

void path_of_snapshot(struct path *path, const struct snapshot *snapshot,
		      const struct choice *choice, size_t place);
/*
 * The module's own path, from the words of its file "bottleneck". Return: false if they are
 * not a path of this tree.
 */
bool path_follow_parts(struct path *path, const struct value *const parts[BOTTLENECK_NR_PARTS],
		       path_value value, const void *of);

/* What a snapshot needs for it: the groups of the tree. */
void path_choose_groups(struct choice *choice);
/* And the module's own path, where those are chosen. */
void path_choose_bottleneck(struct choice *choice);

#endif
