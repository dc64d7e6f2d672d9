/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat tree --json. */
#ifndef N3STAT_TREE_JSON_H
#define N3STAT_TREE_JSON_H

#include "libn3telemetry/snapshot.h"

/*
 * The trees of all places as one line, by the schema that n3stat-tree(1) describes. @where: the
 * processes for perf, or NULL.
 */
void tree_json(const struct snapshot *snapshot, const struct choice *choice, const char *where);

#endif
