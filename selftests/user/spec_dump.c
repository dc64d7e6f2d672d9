// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Dump of the tables as the module sees them, for spec_test.py: each line has a table's
 * name and the fields of one row, separated by tabs.
 */
#include <linux/kernel.h>
#include <stdio.h>

#include "libn3t/formula.h"
#include "libn3t/spec.h"
#include "libn3telemetry/stats/spec_words.h"

static const char * const class_names[] = {
	[N3T_CLASS_COMMON_ARCH] = "common-arch",
	[N3T_CLASS_COMMON_IMPDEF] = "common-impdef",
	[N3T_CLASS_PRODUCT_IMPDEF] = "product-impdef",
	[N3T_CLASS_DEBUG_IMPDEF] = "debug-impdef",
};

/* Metrics of the specification. */
static const bool specified[N3T_NR_METRICS] = {
#define N3T_METRIC(name, ...) true,
#define N3T_METRIC_BEYOND(group, name, ...) false,
#include "libn3t/n3t_metrics.def.h"
};

static void dump_events(void)
{
	const struct n3t_event_info *event;
	unsigned int i;

	for (i = 0; i < N3T_NR_EVENTS; i++) {
		event = &n3t_events[i];
		printf("event\t0x%04X\t%s\t%s\t%s\t%s\t%s\n", event->code, event->name,
		       n3t_event_later(i) ?: "-", class_names[n3t_event_words[i].class],
		       n3t_event_words[i].functional,
		       event->countable ? "countable" : "not countable");
	}
}

static void dump_metrics(void)
{
	const struct n3t_formula *formula;
	char text[N3T_FORMULA_SIZE];
	unsigned int i, k;

	for (i = 0; i < N3T_NR_METRICS; i++) {
		formula = n3t_metric_formula(i);
		n3t_formula_text(i, text, sizeof(text));
		printf("%s\t%s\t%s\t%s\t%u\t", specified[i] ? "metric" : "metric beyond",
		       n3t_metrics[i].name, text, n3t_metric_units[i]->name,
		       n3t_metrics[i].decimals);
		for (k = 0; k < formula->nr_events; k++)
			printf("%s%s", k ? "," : "",
			       n3t_events[n3t_event_by_code(formula->code[k])].name);
		for (k = 0; k < formula->nr_tokens; k++)
			if (formula->token[k].op == N3T_OP_EVENT &&
			    formula->token[k].arg == N3T_CODE_CPU_CYCLES)
				break;
		printf("\t%s\n", k < formula->nr_tokens ? "cycles" : "no cycles");
	}
}

static void dump_groups(void)
{
	const struct n3t_group_info *group;
	unsigned int i, k;

	for (i = 0; i < N3T_NR_GROUPS; i++) {
		group = &n3t_groups[i];
		printf("%s\t%s\t%s\t%s\t%u\t", group->stage ? "group" : "group beyond",
		       group->name, group->file, n3t_group_words[i].title, group->stage);
		for (k = 0; k < group->nr_members; k++)
			printf("%s%s", k ? "," : "", n3t_metrics[group->members[k]].name);
		printf("\n");
	}
}

static const struct {
	unsigned int node;
	const char *next;
} tree[] = {
#define N3T_TREE_METRIC(node, metric) { N3T_METRIC_##node, #metric },
#define N3T_TREE_GROUP(node, group) { N3T_METRIC_##node, #group },
#include "libn3t/n3t_groups.def.h"
};

static void dump_tree(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(tree); i++)
		printf("tree\t%s\t%s\n", n3t_metrics[tree[i].node].name, tree[i].next);
}

int main(void)
{
	if (n3t_spec_init() || n3t_formula_init())
		return 2;
	dump_events();
	dump_metrics();
	dump_groups();
	dump_tree();
	return 0;
}
