// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Baselines: percentiles of every metric, computed from recordings. */
#include <stdlib.h>
#include <string.h>

#include "baseline.h"
#include "lib/memory.h"
#include "lib/names.h"

const char * const baseline_scope_names[BASELINE_SCOPES] = {
	[SCOPE_CPU] = "cpu",
	[SCOPE_NODE] = "node",
	[SCOPE_SYSTEM] = "system",
};

const unsigned int percents[NR_PERCENTS] = { 1, 5, 25, 50, 75, 95, 99 };

unsigned long percentile_needs(unsigned int percent)
{
	unsigned int beyond = percent < 50 ? percent : 100 - percent;

	return (100 + beyond - 1) / beyond;
}

const struct baseline_metric *baseline_find(const struct baseline *baseline, enum scope scope,
					    const char *metric)
{
	const struct baseline_scope *of = &baseline->scopes[scope];

	for (size_t i = 0; i < of->nr; i++)
		if (!strcmp(of->metrics[i].name, metric))
			return &of->metrics[i];
	return NULL;
}

char *baseline_join(char **names)
{
	char *joined = NULL;

	for (; *names; names++)
		append_text(&joined, ", ", "%s", *names);
	return joined ? joined : xstrdup("unknown");
}

void baseline_free(struct baseline *baseline)
{
	for (int scope = 0; scope < BASELINE_SCOPES; scope++)
		free(baseline->scopes[scope].metrics);
	free_names(baseline->hosts);
	free_names(baseline->kernels);
	free_names(baseline->pmus);
	free(baseline->core);
	free(baseline->name);
	*baseline = (struct baseline) { 0 };
}
