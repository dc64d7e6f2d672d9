// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Table of a baseline. */
#include <stdio.h>
#include <stdlib.h>

#include "baseline.h"
#include "lib/text.h"

static void print_names(const char *what, char **names)
{
	char *joined = baseline_join(names);

	printf("%-12s%s\n", what, joined);
	free(joined);
}

static void print_about(const struct baseline *baseline)
{
	if (baseline->simulated)
		printf("simulated counts (n3_sim)\n");
	if (baseline->core)
		printf("%s: for rehearsal only\n", baseline->core);
	printf("%-12s%s\n", "baseline:", baseline->name);
	print_names("hosts:", baseline->hosts);
	print_names("kernels:", baseline->kernels);
	print_names("PMU:", baseline->pmus);
	printf("%-12s%lu, windows of %g s\n", "recordings:", baseline->recordings,
	       baseline->window);
}

static void print_scope(const struct baseline_scope *scope, int at)
{
	printf("\n%lu %s, %lu %s, %lu independent\n", scope->places,
	       plural(scope->places, baseline_titles[at][0], baseline_titles[at][1]),
	       scope->snapshots, plural(scope->snapshots, "snapshot", "snapshots"),
	       scope->independent);
	baseline_print_head("metric");
	for (size_t i = 0; i < scope->nr; i++) {
		printf("%-*s", BASELINE_NAME_WIDTH, scope->metrics[i].name);
		baseline_print_percentiles(&scope->metrics[i]);
		printf(" %6lu\n", scope->metrics[i].independent);
	}
}

static bool knows_all(const struct baseline_metric *metric)
{
	bool all = true;

	for (int i = 0; i < NR_PERCENTS; i++)
		all &= metric->known[i];
	return all;
}

static bool any_unknown(const struct baseline *baseline)
{
	for (int scope = 0; scope < BASELINE_SCOPES; scope++)
		for (size_t i = 0; i < baseline->scopes[scope].nr; i++)
			if (!knows_all(&baseline->scopes[scope].metrics[i]))
				return true;
	return false;
}

void baseline_print(const struct baseline *baseline)
{
	print_about(baseline);
	for (int scope = BASELINE_SCOPES - 1; scope >= 0; scope--)
		if (baseline->scopes[scope].places)
			print_scope(&baseline->scopes[scope], scope);
	if (any_unknown(baseline))
		printf("\n%s: too few independent snapshots; p5 and p95 need %lu, p1 and p99 %lu\n",
		       NO_VALUE, percentile_needs(5), percentile_needs(1));
}
