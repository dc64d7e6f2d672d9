/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Words of the specification about events, metrics and groups, which the module does not need. */
#ifndef LIBN3TELEMETRY_STATS_SPEC_WORDS_H
#define LIBN3TELEMETRY_STATS_SPEC_WORDS_H

#include "libn3t/n3t.h"

#define N3T_FORMULA_SIZE	128	/* text of the longest one */

enum n3t_event_class {
	N3T_CLASS_COMMON_ARCH,
	N3T_CLASS_COMMON_IMPDEF,
	N3T_CLASS_PRODUCT_IMPDEF,
	N3T_CLASS_DEBUG_IMPDEF,
};

/**
 * struct n3t_event_words - an event
 * @functional: functional group as in the specification, "None" for none
 * @class: origin of the definition
 */
struct n3t_event_words {
	const char *functional;
	enum n3t_event_class class;
};

/**
 * struct n3t_unit - unit of a metric
 * @name: as in the specification, "percent of slots"
 * @brief: for headers of tables, "%slots"
 */
struct n3t_unit {
	const char *name;
	const char *brief;
};

/* Title of a group as in the specification, subject and limits of its metrics. */
struct n3t_group_words {
	const char *title;
	const char *purpose;
};

extern const char * const n3t_class_words[];	/* by enum n3t_event_class */
extern const struct n3t_event_words n3t_event_words[N3T_NR_EVENTS];
extern const struct n3t_unit * const n3t_metric_units[N3T_NR_METRICS];
extern const char * const n3t_metric_briefs[N3T_NR_METRICS];
extern const struct n3t_group_words n3t_group_words[N3T_NR_GROUPS];

size_t n3t_formula_text(enum n3t_metric metric, char *text, size_t size);

#endif
