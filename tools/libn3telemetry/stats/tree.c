// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Lookups in the decision tree of the Topdown methodology.
 *
 * The nodes are the metrics of the groups of stage 1. A node leads to metrics,
 * or to a group of stage 1 and so to that group's roots, or to groups of
 * stage 2, which are not part of the tree but groups to look at next.
 */
#include <linux/bitmap.h>
#include <linux/kernel.h>

#include "libn3t/spec.h"
#include "libn3telemetry/stats/tree.h"

static const struct {
	u8 node;
	u8 metric;
} metric_edges[] = {
#define N3T_TREE_METRIC(from, to) { N3T_METRIC_##from, N3T_METRIC_##to },
#include "libn3t/n3t_groups.def.h"
};

static const struct {
	u8 node;
	u8 group;
} group_edges[] = {
#define N3T_TREE_GROUP(from, to) { N3T_METRIC_##from, N3T_GROUP_##to },
#include "libn3t/n3t_groups.def.h"
};

static bool is_child(enum n3t_metric metric)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(metric_edges); i++)
		if (metric_edges[i].metric == metric)
			return true;
	return false;
}

/**
 * n3t_tree_roots() - starting points of the tree in a metric group
 * @group: a group of stage 1; others are not part of the tree
 * @metrics: bitmap of N3T_NR_METRICS; metrics of the group that are not children of
 *	another metric are set in it, all other bits remain unchanged
 */
void n3t_tree_roots(enum n3t_group group, unsigned long *metrics)
{
	const struct n3t_group_info *info = &n3t_groups[group];

	if (info->stage != 1)
		return;
	for (unsigned int i = 0; i < info->nr_members; i++)
		if (!is_child(info->members[i]))
			__set_bit(info->members[i], metrics);
}

/**
 * n3t_tree_children() - metrics that a node splits into
 * @metric: the node
 * @metrics: bitmap of N3T_NR_METRICS; the children are set in it, all other bits remain unchanged
 */
void n3t_tree_children(enum n3t_metric metric, unsigned long *metrics)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(metric_edges); i++)
		if (metric_edges[i].node == metric)
			__set_bit(metric_edges[i].metric, metrics);
	for (unsigned int i = 0; i < ARRAY_SIZE(group_edges); i++)
		if (group_edges[i].node == metric)
			n3t_tree_roots(group_edges[i].group, metrics);
}

/* Of a group of stage 1. */
static bool is_member(const struct n3t_group_info *info, enum n3t_metric metric)
{
	for (unsigned int i = 0; info->stage == 1 && i < info->nr_members; i++)
		if (info->members[i] == metric)
			return true;
	return false;
}

/**
 * n3t_tree_parent() - metric that a node is a part of
 * @metric: the node
 *
 * Return: the metric that has it among its children, or -1 if none.
 */
int n3t_tree_parent(enum n3t_metric metric)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(metric_edges); i++)
		if (metric_edges[i].metric == metric)
			return metric_edges[i].node;
	/* As no child, it is a root of its groups. */
	for (unsigned int i = 0; i < ARRAY_SIZE(group_edges); i++)
		if (is_member(&n3t_groups[group_edges[i].group], metric))
			return group_edges[i].node;
	return -1;
}

/**
 * n3t_tree_next() - metric groups that the tree recommends at a node
 * @metric: the node
 * @groups: bitmap of N3T_NR_GROUPS; the groups are set in it, all other bits remain unchanged
 */
void n3t_tree_next(enum n3t_metric metric, unsigned long *groups)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(group_edges); i++)
		if (group_edges[i].node == metric)
			__set_bit(group_edges[i].group, groups);
}
