/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Lookups in the decision tree of the Topdown methodology. */
#ifndef LIBN3TELEMETRY_STATS_TREE_H
#define LIBN3TELEMETRY_STATS_TREE_H

#include "libn3t/n3t.h"

void n3t_tree_roots(enum n3t_group group, unsigned long *metrics);
void n3t_tree_children(enum n3t_metric metric, unsigned long *metrics);
int n3t_tree_parent(enum n3t_metric metric);
void n3t_tree_next(enum n3t_metric metric, unsigned long *groups);

#endif /* LIBN3TELEMETRY_STATS_TREE_H */
