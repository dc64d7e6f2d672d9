/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Lookups in the tables of events, metrics and metric groups. */
#ifndef _N3T_SPEC_H
#define _N3T_SPEC_H

#include "libn3t/n3t.h"

/**
 * struct n3t_event_info - one row of the event table
 * @name: mnemonic, upper case
 * @code: event number
 * @countable: a single PMU counter can count it (not CHAIN, not trace only)
 */
struct n3t_event_info {
	const char *name;
	u16 code;
	bool countable;
};

/**
 * struct n3t_metric_info - one row of the metric table
 * @name: as in the specification
 * @formula: as in the specification, with SLOTS for the slots per cycle
 * @decimals: decimals shown: 4 for percentages and MPKI, 6 for all others
 */
struct n3t_metric_info {
	const char *name;
	const char *formula;
	unsigned int decimals;
};

/**
 * struct n3t_group_info - one row of the table of metric groups
 * @name: as in the specification
 * @file: name of the file in sysfs, @name in lower case
 * @stage: stage of the methodology, 1 or 2; 0 for groups outside it
 * @nr_members: number of metrics
 * @members: the metrics in display order
 */
struct n3t_group_info {
	const char *name;
	const char *file;
	unsigned int stage;
	unsigned int nr_members;
	const u8 *members;
};

extern const struct n3t_event_info n3t_events[N3T_NR_EVENTS];
extern const struct n3t_metric_info n3t_metrics[N3T_NR_METRICS];
/* Complete after n3t_spec_init(), the only writer. */
extern struct n3t_group_info n3t_groups[N3T_NR_GROUPS];

int n3t_spec_init(void);
const char *n3t_event_later(enum n3t_event event);
int n3t_event_by_name(const char *name);
int n3t_event_by_code(u16 code);
int n3t_group_by_name(const char *name);
const char *n3t_verdict_word(enum n3t_verdict verdict);

#endif /* _N3T_SPEC_H */
