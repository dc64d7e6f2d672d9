/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Path through the decision tree at a place: the module's own from its file "bottleneck",
 * if available, otherwise one computed from the values. The module also uses errors of
 * too few slices to be printed.
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

/* Selects the groups of the tree. */
bool path_choose_groups(struct source *source, struct choice *choice);
/* Selects the module's own path, if the groups of the tree are selected. */
bool path_choose_bottleneck(struct source *source, struct choice *choice);

#endif
