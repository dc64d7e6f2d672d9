/* SPDX-License-Identifier: GPL-2.0 */
/* The simulated PMU as perf sees it. */
#ifndef _N3_SIM_PMU_H
#define _N3_SIM_PMU_H

#include <linux/bits.h>
#include <linux/percpu.h>
#include <linux/types.h>

struct attribute_group;
struct n3_sim_core;

/*
 * perf_event_attr.config of an event that never finds a counter; in the kernel only. All
 * that it does is to make perf schedule the other events again.
 */
#define N3_SIM_CONFIG_NOWHERE	BIT_ULL(16)

extern struct n3_sim_core __percpu *n3_sim_cores;
extern const struct attribute_group *n3_sim_attr_groups[];

int n3_sim_pmu_init(const u64 *rates, bool at_start);
void n3_sim_pmu_exit(void);
u32 n3_sim_pmu_type(void);
unsigned int n3_sim_counters(void);
void n3_sim_set_counters(unsigned int counters);

#endif /* _N3_SIM_PMU_H */
