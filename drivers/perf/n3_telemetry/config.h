/* SPDX-License-Identifier: GPL-2.0 */
/* Settings, the plans that follow from them, and the configuration in force. */
#ifndef _N3T_CONFIG_H
#define _N3T_CONFIG_H

#include <linux/cpumask.h>
#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>

#include "libn3t/n3t.h"
#include "libn3t/pace.h"
#include "libn3t/plan.h"
#include "pmu.h"

#define N3T_SLICE_MS_MIN	4
#define N3T_SLICE_MS_DEFAULT	4
#define N3T_MAX_COST_MAX	1000000
#define N3T_MAX_COST_DEFAULT	2000
#define N3T_WINDOW_MS_MAX	10000
#define N3T_WINDOW_MS_DEFAULT	2000

/*
 * What a CPU's window grows to where two rotations are longer than the one that was set: slices
 * are long then, and so few that they take no more memory.
 */
#define N3T_WINDOW_MS_LONGEST	60000

/**
 * enum n3t_contention_mode - what to do when somebody else waits for a counter
 * @N3T_CONTENTION_YIELD: give all of them back until nobody has waited for a while
 * @N3T_CONTENTION_SHARE: take turns, yielded as long as held
 */
enum n3t_contention_mode {
	N3T_CONTENTION_YIELD,
	N3T_CONTENTION_SHARE,
};

/**
 * struct n3t_settings - what the user can set
 * @enable: sample at all
 * @enables: how often 1 was written to it, and one more: see struct n3t_pmu
 * @slice_ms: length of a slice, N3T_SLICE_MS_MIN to N3T_SLICE_MS_MAX
 * @max_cost: what slices may take, in millionths of a CPU's time: they become longer
 *	otherwise; 0 for any
 * @window_ms: what values are formed over, up to N3T_WINDOW_MS_MAX
 * @groups: the metric groups to sample
 * @anchors: events to count in every set
 * @distrust: events that are not to be counted: metrics that need them are unsupported
 * @nr_custom: number of events in the user's own set
 * @custom: their event numbers
 * @cpus: the CPUs to sample; none for those that are not isolated
 * @contention: what to do when somebody else waits for a counter
 * @reserved_counters: programmable counters to leave to others on each CPU
 * @switching: N3T_SWITCH_AUTO, or the cheapest way to change counter sets
 */
struct n3t_settings {
	bool enable;
	unsigned int enables;
	unsigned int slice_ms;
	unsigned int max_cost;
	unsigned int window_ms;
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	struct n3t_anchors anchors;
	DECLARE_BITMAP(distrust, N3T_NR_EVENTS);
	unsigned int nr_custom;
	u16 custom[N3T_MAX_COUNTERS];
	cpumask_t cpus;
	enum n3t_contention_mode contention;
	unsigned int reserved_counters;
	enum n3t_switch switching;
};

/**
 * struct n3t_config - settings and the plans that follow from them
 * @ref: one for being in force, one for each run under it and for each reader
 * @rcu: frees it
 * @settings: the settings, not changed once they are in force
 * @nominal: programmable counters of a CPU when it was made: there is a plan for it
 * @plan_lock: makes plans, one at a time; taken inside the lock of a CPU
 * @plan: the plan for each budget that some CPU has or had, or NULL; does not change
 *	once it is there
 */
struct n3t_config {
	struct kref ref;
	struct rcu_head rcu;
	struct n3t_settings settings;
	unsigned int nominal;
	struct mutex plan_lock;		/* for those who make plans */
	struct n3t_plan *plan[N3T_MAX_COUNTERS + 1];
};

/*
 * Changes settings, one writer at a time. Taken inside the CPU hotplug lock, outside
 * the locks of CPUs. Neither readers of values nor giving counters back takes it.
 */
extern struct mutex n3t_control_lock;

/* The configuration in force; written under n3t_control_lock. */
extern struct n3t_config __rcu *n3t_config;

struct n3t_config *n3t_config_alloc(const struct n3t_settings *settings, unsigned int nominal);
struct n3t_config *n3t_config_get(void);
void n3t_config_put(struct n3t_config *config);
const struct n3t_plan *n3t_config_make_plan(struct n3t_config *config, unsigned int budget);
const struct n3t_plan *n3t_config_plan(const struct n3t_config *config, unsigned int budget);
unsigned int n3t_config_window_min(const struct n3t_config *config);
unsigned int n3t_config_window(const struct n3t_config *config, const struct n3t_plan *plan,
			       unsigned int slice_ms);

#endif /* _N3T_CONFIG_H */
