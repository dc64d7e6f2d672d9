// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Tables of baselines. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "baseline.h"
#include "lib/text.h"
#include "libn3telemetry/catalog.h"

#define NAME_WIDTH	33
#define LARGE		100000		/* too wide for a column */

static const char * const titles[BASELINE_SCOPES][2] = {
	[SCOPE_CPU] = { "CPU", "CPUs" },
	[SCOPE_NODE] = { "node", "nodes" },
	[SCOPE_SYSTEM] = { "system", "systems" },
};

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

/* Decimals: half as many as the module prints. */
static int decimals_of(const char *metric)
{
	int known = catalog_find_metric(metric);
	const char *unit = known < 0 ? "" : catalog_metric(known).unit;

	return strstr(unit, "percent") || !strcmp(unit, "MPKI") ? 2 : 4;
}

static void print_percentiles(const struct baseline_metric *metric)
{
	int decimals = decimals_of(metric->name);

	for (int i = 0; i < NR_PERCENTS; i++)
		if (!metric->known[i])
			printf(" %8s", NO_VALUE);
		else if (fabs(metric->v[i]) < LARGE)
			printf(" %8.*f", decimals, metric->v[i]);
		else
			printf(" %8.3g", metric->v[i]);
}

static void print_head(const char *first)
{
	printf("%-*s", NAME_WIDTH, first);
	for (int i = 0; i < NR_PERCENTS; i++)
		printf(" %*sp%u", percents[i] < 10 ? 6 : 5, "", percents[i]);
	printf("  indep\n");
}

static void print_scope(const struct baseline_scope *scope, int at)
{
	printf("\n%lu %s, %lu %s, %lu independent\n", scope->places,
	       plural(scope->places, titles[at][0], titles[at][1]), scope->snapshots,
	       plural(scope->snapshots, "snapshot", "snapshots"), scope->independent);
	print_head("metric");
	for (size_t i = 0; i < scope->nr; i++) {
		printf("%-*s", NAME_WIDTH, scope->metrics[i].name);
		print_percentiles(&scope->metrics[i]);
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

void baseline_print_metric(const struct baseline *baseline, const char *metric)
{
	bool any = false;

	printf("baseline: %s%s\n", baseline->name,
	       baseline->simulated ? " (simulated counts)" : "");
	for (int scope = BASELINE_SCOPES - 1; scope >= 0; scope--) {
		const struct baseline_metric *found = baseline_find(baseline, scope, metric);

		if (!found)
			continue;
		if (!any)
			print_head("");
		any = true;
		printf("  %-*s", NAME_WIDTH - 2, titles[scope][scope != SCOPE_SYSTEM]);
		print_percentiles(found);
		printf(" %6lu\n", found->independent);
	}
	if (!any)
		printf("  no value of this metric\n");
}
