/* SPDX-License-Identifier: GPL-2.0 */
/* Settings, and the plans that follow from them. */
#ifndef _N3T_CONFIG_H
#define _N3T_CONFIG_H

#include <linux/cpumask.h>

#include "n3t.h"

struct n3t_plan;

#define N3T_SLICE_MS_MIN	4
#define N3T_SLICE_MS_MAX	1000
#define N3T_SLICE_MS_DEFAULT	20
#define N3T_WINDOW_MS_MAX	60000
#define N3T_WINDOW_MS_DEFAULT	2000

/**
 * enum n3t_contention - what to do when somebody else waits for a counter
 * @N3T_CONTENTION_YIELD: give all of them back until nobody has waited for a while
 * @N3T_CONTENTION_SHARE: take turns, away as long as held
 */
enum n3t_contention {
	N3T_CONTENTION_YIELD,
	N3T_CONTENTION_SHARE,
};

/**
 * struct n3t_settings - what the user can set
 * @enable: sample at all
 * @slice_ms: length of a slice, N3T_SLICE_MS_MIN to N3T_SLICE_MS_MAX
 * @window_ms: what values are formed over, up to N3T_WINDOW_MS_MAX
 * @groups: the metric groups to sample
 * @nr_custom: number of events in the user's own set
 * @custom: their event numbers
 * @cpus: the CPUs to sample; those that are isolated too, if named
 * @contention: what to do when somebody else waits for a counter
 * @reserved_counters: programmable counters to leave free on each CPU
 */
struct n3t_settings {
	bool enable;
	unsigned int slice_ms;
	unsigned int window_ms;
	DECLARE_BITMAP(groups, N3T_NR_GROUPS);
	unsigned int nr_custom;
	u16 custom[N3T_MAX_COUNTERS];
	cpumask_t cpus;
	enum n3t_contention contention;
	unsigned int reserved_counters;
};

/**
 * struct n3t_config - settings and the plans that follow from them
 * @settings: the settings
 * @window_ms: the window in force: at least two rotations of the longest plan
 * @plan: the plan for each budget that some CPU has or had, or NULL
 */
struct n3t_config {
	struct n3t_settings settings;
	unsigned int window_ms;
	struct n3t_plan *plan[N3T_MAX_COUNTERS + 1];
};

struct n3t_config *n3t_config_alloc(const struct n3t_settings *settings);
void n3t_config_free(struct n3t_config *config);
const struct n3t_plan *n3t_config_plan(struct n3t_config *config, unsigned int budget);
unsigned int n3t_config_window_min(const struct n3t_config *config);
unsigned int n3t_config_slots(const struct n3t_config *config);

#endif /* _N3T_CONFIG_H */
