/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Types that all units of n3_telemetry share.
 *
 * event		what the PMU counts, named by a 16-bit event number ("code")
 * counter		a programmable PMU counter, or the cycle counter beside them
 * counter set	the events that are counted at the same time, CPU_CYCLES with them
 * slice		one stretch of time on one CPU in which one set was counted
 * metric		what a formula makes of the counts of one set
 * metric group	the metrics that answer one question and are shown as one file
 * plan		the counter sets that hold the metrics of the chosen groups
 */
#ifndef _N3T_H
#define _N3T_H

#include <linux/bitmap.h>
#include <linux/types.h>

/* Of the module and of n3stat. */
#define N3T_VERSION		"0.2"

/* More programmable counters than this no PMUv3 has. */
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
#define N3T_METRIC(name, unit, formula) N3T_METRIC_##name,
#include "libn3t/n3t_metrics.def.h"
	N3T_NR_METRICS
};

/* How many of them are the specification's. */
enum {
#define N3T_METRIC(name, unit, formula) N3T_SPECIFIED_##name,
#define N3T_METRIC_BEYOND(name, unit, formula)
#include "libn3t/n3t_metrics.def.h"
	N3T_NR_SPECIFIED_METRICS
};

enum n3t_group {
#define N3T_GROUP(name, title, stage) N3T_GROUP_##name,
#include "libn3t/n3t_groups.def.h"
	N3T_NR_GROUPS
};

/**
 * enum n3t_verdict - what is reported instead of a value, in order of precedence
 * @N3T_OFFLINE: the CPU is offline
 * @N3T_DISABLED: sampling is off, not done on this CPU, or not of this group
 * @N3T_UNPLACED: the metric needs more counters than there are
 * @N3T_UNSUPPORTED: an event that is needed is distrusted
 * @N3T_CONTENDED: every slice of the set that ended in the window was dropped
 * @N3T_IDLE: too few cycles in the window to say anything, or, of what is said of samples,
 *	no sample in it
 * @N3T_STALE: no slice of the set ended in the window although the CPU was busy
 * @N3T_IMPLAUSIBLE: cycles advance, events that must advance with them do not
 * @N3T_INCONSISTENT: events that are used contradict each other
 * @N3T_UNDEF: a denominator is 0
 * @N3T_VALUE: none of these: there is a value
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
 * struct n3t_counts - what was counted at the same time
 * @cycles: CPU_CYCLES
 * @nr: number of programmable events
 * @code: their event numbers
 * @count: their counts
 */
struct n3t_counts {
	u64 cycles;
	unsigned int nr;
	u16 code[N3T_MAX_COUNTERS];
	u64 count[N3T_MAX_COUNTERS];
};

#endif /* _N3T_H */
