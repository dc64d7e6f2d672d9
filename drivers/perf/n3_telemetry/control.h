/* SPDX-License-Identifier: GPL-2.0 */
/* Settings, and carrying them out on every CPU, through CPU hotplug as well. */
#ifndef _N3T_CONTROL_H
#define _N3T_CONTROL_H

#include <linux/rwsem.h>

#include "n3t.h"

struct n3t_cpu;
struct n3t_plan;

#define N3T_SLICE_MS_MIN	4
#define N3T_SLICE_MS_MAX	1000
#define N3T_WINDOW_MS_MAX	60000
#define N3T_WINDOW_MS_DEFAULT	2000

/**
 * struct n3t_settings - what the user can set
 * @enable: sample at all
 * @slice_ms: length of a slice, N3T_SLICE_MS_MIN to N3T_SLICE_MS_MAX
 * @window_ms: what values are formed over, up to N3T_WINDOW_MS_MAX
 */
struct n3t_settings {
	bool enable;
	unsigned int slice_ms;
	unsigned int window_ms;
};

/**
 * struct n3t_config - settings and the plans that follow from them
 * @settings: the settings
 * @window_ms: the window in force: at least two rotations of the longest plan
 * @plan: the plan for each budget that some CPU has, or NULL
 */
struct n3t_config {
	struct n3t_settings settings;
	unsigned int window_ms;
	struct n3t_plan *plan[N3T_MAX_COUNTERS + 1];
};

/*
 * Protects n3t_config, what it points to, and struct n3t_cpu. Readers of values
 * share it; settings and CPU hotplug take it alone. Taken inside the CPU
 * hotplug lock, outside perf's locks. The sampler never takes it.
 */
extern struct rw_semaphore n3t_control_lock;
extern struct n3t_config *n3t_config;
extern bool n3t_in_place;

struct n3t_cpu *n3t_control_cpu(unsigned int cpu);
int n3t_control_init(const struct n3t_settings *settings);
int n3t_control_start(void);
void n3t_control_exit(void);
void n3t_control_stop(void);
int n3t_control_begin(struct n3t_settings *settings);
void n3t_control_abort(void);
int n3t_control_commit(const struct n3t_settings *settings);
unsigned int n3t_window_ms_min(const struct n3t_config *config);

#endif /* _N3T_CONTROL_H */
