/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Types shared by all units of n3_telemetry.
 *
 * event		something that the PMU counts, named by a 16-bit number ("code")
 * counter		a programmable PMU counter, or the one that counts cycles
 * counter set	events counted at the same time, together with CPU_CYCLES
 * slice		an interval on one CPU during which one set is counted
 * metric		the result of a formula over the counts of one set
 * metric group	metrics that answer one question, shown as one file
 * plan		the counter sets that hold the metrics of the chosen groups
 */
#ifndef _N3T_H
#define _N3T_H

#include <linux/bitmap.h>
#include <linux/types.h>

/* Version of the module and of n3stat. */
#define N3T_VERSION		"0.2"

/* No PMUv3 has more programmable counters. */
#define N3T_MAX_COUNTERS	31

enum n3t_event {
#define N3T_EVENT(mnemonic, number, class, group, countable) N3T_EVENT_##mnemonic,
#include "libn3t/n3t_events.def.h"
	N3T_NR_EVENTS
};

/* The event number of each event: N3T_CODE_CPU_CYCLES is 0x11. */
enum n3t_code {
#define N3T_EVENT(mnemonic, number, class, group, countable) N3T_CODE_##mnemonic = number,
#include "libn3t/n3t_events.def.h"
};

enum n3t_metric {
#define N3T_METRIC(name, ...) N3T_METRIC_##name,
#include "libn3t/n3t_metrics.def.h"
	N3T_NR_METRICS
};

/* Number of metrics in the specification. */
enum {
#define N3T_METRIC(name, ...) N3T_SPECIFIED_##name,
#define N3T_METRIC_BEYOND(group, name, ...)
#include "libn3t/n3t_metrics.def.h"
	N3T_NR_SPECIFIED_METRICS
};

enum n3t_group {
#define N3T_GROUP(name, ...) N3T_GROUP_##name,
#include "libn3t/n3t_groups.def.h"
	N3T_NR_GROUPS
};

/**
 * enum n3t_verdict - text reported in place of a value, in order of precedence
 * @N3T_OFFLINE: the CPU is offline
 * @N3T_DISABLED: sampling is off, excludes this CPU or excludes this group
 * @N3T_UNPLACED: the metric needs more counters than the CPU has
 * @N3T_UNSUPPORTED: the metric needs a distrusted event
 * @N3T_CONTENDED: every slice of the set that ended in the window was dropped
 * @N3T_IDLE: too few cycles in the window, or, for metrics of SPE samples, no sample in it
 * @N3T_STALE: no slice of the set ended in the window although the CPU was busy
 * @N3T_IMPLAUSIBLE: cycles advance, events that must advance with them do not
 * @N3T_INCONSISTENT: events of the metric contradict each other
 * @N3T_UNDEF: a denominator is 0
 * @N3T_VALUE: none of these, the metric has a value
 */
enum n3t_verdict {
	N3T_OFFLINE,
	N3T_DISABLED,
	N3T_UNPLACED,
	N3T_UNSUPPORTED,
	N3T_CONTENDED,
	N3T_IDLE,
	N3T_STALE,
	N3T_IMPLAUSIBLE,
	N3T_INCONSISTENT,
	N3T_UNDEF,
	N3T_VALUE,
};

/**
 * struct n3t_counts - counts over the same time
 * @cycles: CPU_CYCLES
 * @nr: number of programmable events
 * @code: event numbers
 * @count: counts
 */
struct n3t_counts {
	u64 cycles;
	unsigned int nr;
	u16 code[N3T_MAX_COUNTERS];
	u64 count[N3T_MAX_COUNTERS];
};

#endif /* _N3T_H */
