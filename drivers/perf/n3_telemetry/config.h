/* SPDX-License-Identifier: GPL-2.0 */
/* Settings, the plans derived from them, and the active configuration. */
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
 * Upper bound of a CPU's window where two rotations exceed the configured one.
 * Slices are long in that case, and their number needs no more memory.
 */
#define N3T_WINDOW_MS_LONGEST	60000

/**
 * enum n3t_contention_mode - reaction when other users wait for a counter
 * @N3T_CONTENTION_YIELD: release all counters until no one has waited for a while
 * @N3T_CONTENTION_SHARE: take turns: yield for as long as the counters were held
 */
enum n3t_contention_mode {
	N3T_CONTENTION_YIELD,
	N3T_CONTENTION_SHARE,
};

/**
 * struct n3t_settings - user settings
 * @enable: sample
 * @enables: one more than the number of times that 1 was written to "enable": see
 *	struct n3t_pmu
 * @slice_ms: length of a slice, N3T_SLICE_MS_MIN to N3T_SLICE_MS_MAX
 * @max_cost: limit on the cost of slices, in millionths of a CPU's time; slices
 *	are lengthened to stay below it; 0 for no limit
 * @window_ms: period that values cover, up to N3T_WINDOW_MS_MAX
 * @groups: the metric groups to sample
 * @anchors: events to count in every set
 * @distrust: events not to count; metrics that need them are unsupported
 * @nr_custom: number of events in the custom set
 * @custom: their event numbers
 * @cpus: the CPUs to sample; empty for all that are not isolated
 * @contention: reaction when other users wait for a counter
 * @reserved_counters: programmable counters to leave to others on each CPU
 * @switching: cheapest allowed method to switch sets, or N3T_SWITCH_AUTO for any;
 *	never N3T_SWITCH_DIRECT
 * @replicates: deal slices of Topdown_L1 to replicates
 * @container_pieces: pieces of runs to sample per second on each CPU, 0 for none
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
	bool replicates;
	unsigned int container_pieces;
};

/* True if a CPU may be used: one of those in "cpus", or any that is not isolated. */
static inline bool n3t_settings_include(const struct n3t_settings *settings, unsigned int cpu,
					bool isolated)
{
	return cpumask_empty(&settings->cpus) ? !isolated :
						cpumask_test_cpu(cpu, &settings->cpus);
}

/**
 * struct n3t_config - settings and the plans derived from them
 * @ref: one while active, one for each run that uses it and for each reader
 * @rcu: for kfree_rcu()
 * @settings: the settings, constant once active
 * @nominal: programmable counters of a CPU at creation; has a plan
 * @plan_lock: serializes creation of plans; taken inside the lock of a CPU
 * @plan: plan for each budget that any CPU has or had, or NULL; never changes
 *	once set
 */
struct n3t_config {
	struct kref ref;
	struct rcu_head rcu;
	struct n3t_settings settings;
	unsigned int nominal;
	struct mutex plan_lock;		/* serializes creation of plans */
	struct n3t_plan *plan[N3T_MAX_COUNTERS + 1];
};

/*
 * Serializes changes of settings. Taken inside the CPU hotplug lock, outside
 * the locks of CPUs. Neither reading values nor releasing counters takes it.
 */
extern struct mutex n3t_control_lock;

/* Active configuration; written under n3t_control_lock. */
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
