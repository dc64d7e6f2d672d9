// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Words of the specification about events, metrics and groups, which the module does not need. */
#include <stdio.h>
#include <string.h>

#include "libn3t/core.h"
#include "libn3t/spec.h"
#include "libn3telemetry/stats/spec_words.h"

#define SLOTS	"SLOTS"		/* of the N3, in the tables' formulas */

const char * const n3t_class_words[] = {
	[N3T_CLASS_COMMON_ARCH] = "architectural",
	[N3T_CLASS_COMMON_IMPDEF] = "common",
	[N3T_CLASS_PRODUCT_IMPDEF] = "product",
	[N3T_CLASS_DEBUG_IMPDEF] = "debug",
};

const struct n3t_event_words n3t_event_words[N3T_NR_EVENTS] = {
#define N3T_EVENT(mnemonic, number, kind, group, counts)		\
	[N3T_EVENT_##mnemonic] = { #group, N3T_CLASS_##kind },
#include "libn3t/n3t_events.def.h"
};

enum {
#define N3T_UNIT(name, words, brief, decimals) UNIT_##name,
#include "libn3t/n3t_metrics.def.h"
};

static const struct n3t_unit units[] = {
#define N3T_UNIT(name, words, brief, decimals) { words, brief },
#include "libn3t/n3t_metrics.def.h"
};

const struct n3t_unit * const n3t_metric_units[N3T_NR_METRICS] = {
#define N3T_METRIC(name, brief, unit, ...) &units[UNIT_##unit],
#include "libn3t/n3t_metrics.def.h"
};

const char * const n3t_metric_briefs[N3T_NR_METRICS] = {
#define N3T_METRIC(name, brief, ...) #brief,
#include "libn3t/n3t_metrics.def.h"
};

const struct n3t_group_words n3t_group_words[N3T_NR_GROUPS] = {
#define N3T_GROUP(name, title, stage, section, purpose) { title, purpose },
#include "libn3t/n3t_groups.def.h"
};

/**
 * n3t_formula_text() - a metric's formula as the specification spells it
 * @metric: the metric
 * @text: the formula
 * @size: size of @text; N3T_FORMULA_SIZE is enough
 *
 * Return: the length of @text.
 */
size_t n3t_formula_text(enum n3t_metric metric, char *text, size_t size)
{
	const char *formula = n3t_metrics[metric].formula, *slots = strstr(formula, SLOTS);

	if (!slots)
		return snprintf(text, size, "%s", formula);
	return snprintf(text, size, "%.*s%d%s", (int)(slots - formula), formula, N3T_SLOTS_n3,
			slots + strlen(SLOTS));
}
