// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Percentiles of a metric as a row, and below explain's text. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "baseline.h"
#include "libn3telemetry/catalog.h"

#define LARGE	100000		/* too wide for a column */

const char * const baseline_titles[BASELINE_SCOPES][2] = {
	[SCOPE_CPU] = { "CPU", "CPUs" },
	[SCOPE_NODE] = { "node", "nodes" },
	[SCOPE_SYSTEM] = { "system", "systems" },
};

/* Decimals: half as many as the module prints. */
static int decimals_of(const char *metric)
{
	int known = catalog_find_metric(metric);
	const char *unit = known < 0 ? "" : catalog_metric(known).unit;

	return strstr(unit, "percent") || !strcmp(unit, "MPKI") ? 2 : 4;
}

void baseline_print_percentiles(const struct baseline_metric *metric)
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

void baseline_print_head(const char *first)
{
	printf("%-*s", BASELINE_NAME_WIDTH, first);
	for (int i = 0; i < NR_PERCENTS; i++)
		printf(" %*sp%u", percents[i] < 10 ? 6 : 5, "", percents[i]);
	printf("  indep\n");
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
			baseline_print_head("");
		any = true;
		printf("  %-*s", BASELINE_NAME_WIDTH - 2,
		       baseline_titles[scope][scope != SCOPE_SYSTEM]);
		baseline_print_percentiles(found);
		printf(" %6lu\n", found->independent);
	}
	if (!any)
		printf("  no value of this metric\n");
}
