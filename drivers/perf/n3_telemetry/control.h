/* SPDX-License-Identifier: GPL-2.0 */
/* Loading, the lock over everything, and changing settings. */
#ifndef _N3T_CONTROL_H
#define _N3T_CONTROL_H

#include <linux/rwsem.h>

#include "config.h"

/*
 * Protects n3t_config, what it points to, and struct n3t_cpu. Readers of values
 * share it; settings, CPU hotplug and giving counters back take it alone.
 * Taken inside the CPU hotplug lock, outside perf's locks. The sampler never
 * takes it.
 */
extern struct rw_semaphore n3t_control_lock;
extern struct n3t_config *n3t_config;
extern bool n3t_in_place;
extern unsigned int n3t_usual_budget;

int n3t_control_init(const struct n3t_settings *settings);
int n3t_control_start(void);
void n3t_control_exit(void);
void n3t_control_stop(void);
struct n3t_config *n3t_control_begin(void);
int n3t_control_commit(struct n3t_config *config);
void n3t_control_abort(struct n3t_config *config);

#endif /* _N3T_CONTROL_H */
