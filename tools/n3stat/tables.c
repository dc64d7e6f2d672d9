// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The module's own tables, as user space likes them. */
#include <linux/kernel.h>
#include <linux/string.h>

#include "common.h"
#include "formula.h"
#include "spec.h"
#include "tables.h"

static const char * const class_words[] = {
	[N3T_CLASS_COMMON_ARCH] = "architectural",
	[N3T_CLASS_COMMON_IMPDEF] = "common",
	[N3T_CLASS_PRODUCT_IMPDEF] = "product",
	[N3T_CLASS_DEBUG_IMPDEF] = "debug",
};

/* Units in a table's header, beside the ones of the specification. */
static const struct {
	const char *unit;
	const char *brief;
} units[] = {
	{ "percent of slots", "%slots" },
	{ "percent of cycles", "%cycles" },
	{ "percent of operations", "%ops" },
	{ "percent of responses", "%responses" },
	{ "MPKI", "MPKI" },
	{ "per branch", "/branch" },
	{ "per cache access", "/access" },
	{ "per TLB access", "/access" },
	{ "per memory access", "/access" },
	{ "per cycle", "/cycle" },
	{ "per kilo instruction", "/kinst" },
	{ "operations per cycle", "ops/cycle" },
};

struct edge {
	int metric;
	struct tables_next to;
};

static const struct edge edges[] = {
#define N3T_TREE_METRIC(node, next) { N3T_METRIC_##node, { N3T_METRIC_##next, -1 } },
#define N3T_TREE_GROUP(node, next) { N3T_METRIC_##node, { -1, N3T_GROUP_##next } },
#include "n3t_groups.def.h"
};

void tables_init(void)
{
	if (n3t_spec_init() || n3t_formula_init())
		die(EXIT_OTHER, "its own tables are wrong; build it anew");
}

int tables_nr_events(void)
{
	return N3T_NR_EVENTS;
}

int tables_nr_metrics(void)
{
	return N3T_NR_METRICS;
}

int tables_nr_groups(void)
{
	return N3T_NR_GROUPS;
}

struct tables_event tables_event(int event)
{
	const struct n3t_event_info *info = &n3t_events[event];

	return (struct tables_event) {
		.name = info->name,
		.later = info->later,
		.functional = info->functional,
		.class = class_words[info->class],
		.code = info->code,
		.countable = info->countable,
	};
}

/* All different events of a formula, in its order. */
static void find_events(struct tables_metric *metric, int number)
{
	const struct n3t_formula *formula = n3t_metric_formula(number);

	for (unsigned int i = 0; i < formula->nr_tokens; i++) {
		int event;
		size_t k;

		if (formula->token[i].op != N3T_OP_EVENT)
			continue;
		event = n3t_event_by_code(formula->token[i].arg);
		for (k = 0; k < metric->nr_events; k++)
			if (metric->events[k] == event)
				break;
		if (k == metric->nr_events && k < TABLES_MAX_EVENTS)
			metric->events[metric->nr_events++] = event;
	}
}

struct tables_metric tables_metric(int number)
{
	const struct n3t_metric_info *info = &n3t_metrics[number];
	struct tables_metric metric = {
		.name = info->name,
		.unit = info->unit,
		.short_unit = info->unit,
		.formula = info->formula,
		.specified = number < N3T_NR_SPECIFIED_METRICS,
	};

	for (size_t i = 0; i < NR(units); i++)
		if (!strcmp(units[i].unit, info->unit))
			metric.short_unit = units[i].brief;
	find_events(&metric, number);
	return metric;
}

const char *tables_metric_name(int metric)
{
	return n3t_metrics[metric].name;
}

struct tables_group tables_group(int group)
{
	const struct n3t_group_info *info = &n3t_groups[group];

	return (struct tables_group) {
		.name = info->name,
		.file = info->file,
		.title = info->title,
		.stage = info->stage,
		.nr_members = info->nr_members,
	};
}

int tables_find_event(const char *name)
{
	int event = n3t_event_by_name(name);

	return event < 0 ? -1 : event;
}

int tables_find_metric(const char *name)
{
	for (int i = 0; i < N3T_NR_METRICS; i++)
		if (!strcasecmp(n3t_metrics[i].name, name))
			return i;
	return -1;
}

int tables_find_group(const char *name)
{
	int group = n3t_group_by_name(name);

	return group < 0 ? -1 : group;
}

int tables_member(int group, size_t index)
{
	return n3t_groups[group].members[index];
}

bool tables_has_member(int group, int metric)
{
	for (unsigned int i = 0; i < n3t_groups[group].nr_members; i++)
		if (n3t_groups[group].members[i] == metric)
			return true;
	return false;
}

/* Return: how many items the tree leads to from a metric. */
size_t tables_next(int metric, struct tables_next next[TABLES_MAX_NEXT])
{
	size_t nr = 0;

	for (size_t i = 0; i < NR(edges); i++)
		if (edges[i].metric == metric && nr < TABLES_MAX_NEXT)
			next[nr++] = edges[i].to;
	return nr;
}

/* Return: the metric that leads to this one, or -1 for a root. */
int tables_parent(int metric)
{
	for (size_t i = 0; i < NR(edges); i++)
		if (edges[i].to.metric == metric)
			return edges[i].metric;
	return -1;
}

/* Whether the decision tree knows it: Topdown_L1 and the two groups below. */
bool tables_in_tree(int metric)
{
	return tables_has_member(N3T_GROUP_Topdown_L1, metric) ||
	       tables_has_member(N3T_GROUP_Topdown_Frontend, metric) ||
	       tables_has_member(N3T_GROUP_Topdown_Backend, metric);
}
