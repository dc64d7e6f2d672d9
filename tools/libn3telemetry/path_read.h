/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Path through the decision tree at a place: from the text of the bottleneck, as
 * infer_bottleneck() prints it, if available, otherwise one computed from the values. The text
 * also uses errors of too few slices to be printed.
 */
#ifndef LIBN3TELEMETRY_PATH_READ_H
#define LIBN3TELEMETRY_PATH_READ_H

#include "bottleneck_file.h"
#include "path.h"
#include "snapshot.h"

void path_of_snapshot(struct path *path, const struct snapshot *snapshot,
		      const struct choice *choice, size_t place);
/* Replaces the path of the text by that of a snapshot's estimates, whose errors are unknown. */
void path_fill(struct snapshot *snapshot, const struct choice *choice, size_t place);
/* Share of a metric in all slots by the estimates of a place. */
struct path_share path_share_at(const struct snapshot *snapshot, const struct choice *choice,
				size_t place, int metric);

/* Selects the groups of the tree. */
bool path_choose_groups(struct source *source, struct choice *choice);
/* Selects the text of the bottleneck, if the groups of the tree are selected. */
bool path_choose_bottleneck(struct source *source, struct choice *choice);

#endif
