/* SPDX-License-Identifier: GPL-2.0 */
/* Changes to the workload of a CPU, from any CPU. */
#ifndef _N3_SIM_SETTINGS_H
#define _N3_SIM_SETTINGS_H

#include <linux/mutex.h>
#include <linux/types.h>

#include "libn3t/n3t.h"

struct n3_sim_core;
struct n3_sim_phase;
struct n3_sim_script;

/**
 * struct n3_sim_counts - counts of all events on a CPU
 * @now_ns: time of the counts
 * @count: whole counts of each event
 */
struct n3_sim_counts {
	u64 now_ns;
	u64 count[N3T_NR_EVENTS];
};

extern struct mutex n3_sim_settings_lock;

int n3_sim_on_cpu(unsigned int cpu,
		  void (*fn)(struct n3_sim_core *core, u64 now, void *arg), void *arg);
int n3_sim_set_script(unsigned int cpu, const struct n3_sim_script *script);
int n3_sim_set_rates(unsigned int cpu, const u64 *rates);
int n3_sim_set_idle(unsigned int cpu, bool idle);
int n3_sim_set_only_cycles(unsigned int cpu, bool only_cycles);
int n3_sim_get_counts(unsigned int cpu, struct n3_sim_counts *counts);
int n3_sim_get_phase(unsigned int cpu, const struct n3_sim_phase **phase);

#endif /* _N3_SIM_SETTINGS_H */
