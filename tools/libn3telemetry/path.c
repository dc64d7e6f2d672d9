// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The decision tree, and shares of all slots. */
#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <math.h>
#include <string.h>

#include "libn3t/spec.h"
#include "stats/spec_words.h"
#include "libn3telemetry/stats/tree.h"
#include "path.h"

#define MAX_BELOW	16

/* Lists metrics in the order of their groups. */
static size_t in_order(const unsigned long *metrics, int list[], size_t room)
{
	size_t nr = 0;

	for (int group = 0; group < N3T_NR_GROUPS; group++) {
		if (n3t_groups[group].stage != 1)
			continue;
		for (unsigned int i = 0; i < n3t_groups[group].nr_members && nr < room; i++)
			if (test_bit(n3t_groups[group].members[i], metrics))
				list[nr++] = n3t_groups[group].members[i];
	}
	return nr;
}

size_t path_below(int metric, int below[], size_t room)
{
	DECLARE_BITMAP(metrics, N3T_NR_METRICS) = { 0 };

	if (metric < 0)
		n3t_tree_roots(N3T_GROUP_Topdown_L1, metrics);
	else
		n3t_tree_children(metric, metrics);
	return in_order(metrics, below, room);
}

size_t path_to(int metric, int metrics[PATH_DEPTH])
{
	DECLARE_BITMAP(roots, N3T_NR_METRICS) = { 0 };
	size_t nr = 1;
	int top;

	if (metric < 0)
		return 0;
	for (top = metric; n3t_tree_parent(top) >= 0; top = n3t_tree_parent(top))
		nr++;
	n3t_tree_roots(N3T_GROUP_Topdown_L1, roots);
	if (!test_bit(top, roots))
		return 0;
	for (size_t i = nr; i-- > 0; metric = n3t_tree_parent(metric))
		metrics[i] = metric;
	return nr;
}

int path_causes(int metric)
{
	static const struct {
		int metric;
		int group;
	} edges[] = {
#define N3T_TREE_CAUSES(node, group) { N3T_METRIC_##node, N3T_GROUP_##group },
#include "libn3t/n3t_groups.def.h"
	};

	for (size_t i = 0; i < ARRAY_SIZE(edges); i++)
		if (edges[i].metric == metric)
			return edges[i].group;
	return -1;
}

int path_cause_of(int metric)
{
	for (int node = 0; node < N3T_NR_METRICS; node++)
		if (path_causes(node) >= 0 && catalog_has_member(path_causes(node), metric))
			return node;
	return -1;
}

int path_group(int metric)
{
	int below[MAX_BELOW];

	for (int group = 0; path_below(metric, below, MAX_BELOW) && group < N3T_NR_GROUPS; group++)
		if (n3t_groups[group].stage == 1 && catalog_has_member(group, below[0]))
			return group;
	return -1;
}

size_t path_groups(int metric, int groups[PATH_MAX_NEXT])
{
	DECLARE_BITMAP(next, N3T_NR_GROUPS) = { 0 };
	size_t nr = 0;

	for (; metric >= 0 && bitmap_empty(next, N3T_NR_GROUPS); metric = n3t_tree_parent(metric))
		n3t_tree_next(metric, next);
	for (int i = 0; i < N3T_NR_GROUPS && nr < PATH_MAX_NEXT; i++)
		if (test_bit(i, next))
			groups[nr++] = i;
	return nr;
}

size_t path_next(int metric, struct path_next next[PATH_MAX_NEXT])
{
	DECLARE_BITMAP(groups, N3T_NR_GROUPS) = { 0 };
	DECLARE_BITMAP(of_groups, N3T_NR_METRICS) = { 0 };
	int below[MAX_BELOW];
	size_t nr_below = path_below(metric, below, MAX_BELOW), nr = 0;

	n3t_tree_next(metric, groups);
	for (int i = 0; i < N3T_NR_GROUPS; i++)
		if (test_bit(i, groups))
			n3t_tree_roots(i, of_groups);
	for (size_t i = 0; i < nr_below && nr < PATH_MAX_NEXT; i++)
		if (!test_bit(below[i], of_groups))
			next[nr++] = (struct path_next) { below[i], -1 };
	for (int i = 0; i < N3T_NR_GROUPS && nr < PATH_MAX_NEXT; i++)
		if (test_bit(i, groups))
			next[nr++] = (struct path_next) { -1, i };
	return nr;
}

struct path_share path_of_value(const struct value *value)
{
	return (struct path_share) {
		.value = value->number,
		.error = value->has_range && !value->is_margin ? value_error(value) : NAN,
	};
}

static double clip(double percent)
{
	return fmin(fmax(percent, 0), 100);
}

struct path_share path_part(const struct path_share *whole, const struct path_share *part)
{
	double of_whole = clip(part->value) * fmin(whole->error, 100) / 100;
	double of_part = clip(whole->value) * fmin(part->error, 100) / 100;
	bool known = !isnan(whole->error) && !isnan(part->error);

	return (struct path_share) {
		.value = clip(whole->value) * clip(part->value) / 100,
		.error = known ? sqrt(of_whole * of_whole + of_part * of_part) : NAN,
	};
}

struct path_share path_share(int metric, path_value value, const void *data)
{
	struct path_share share = { 100, 0 }, part;
	int metrics[PATH_DEPTH];
	size_t nr = path_to(metric, metrics);

	for (size_t i = 0; i < nr; i++) {
		const struct value *own = value(data, metrics[i]);

		if (!own || !own->is_number)
			return (struct path_share) { NAN, NAN };
		part = path_of_value(own);
		share = path_part(&share, &part);
	}
	return nr ? share : (struct path_share) { NAN, NAN };
}

bool path_is_approximate(int metric)
{
	return strcmp(n3t_metric_units[metric]->name, "percent of slots");
}
