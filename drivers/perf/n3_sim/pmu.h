/* SPDX-License-Identifier: GPL-2.0 */
/* The simulated perf PMU. */
#ifndef _N3_SIM_PMU_H
#define _N3_SIM_PMU_H

#include <linux/bits.h>
#include <linux/percpu.h>
#include <linux/types.h>

struct attribute_group;
struct n3_sim_core;

/*
 * perf_event_attr.config of an event that never gets a counter; kernel only. It
 * makes perf schedule the other events again.
 */
#define N3_SIM_CONFIG_NOWHERE	BIT_ULL(16)

/**
 * struct n3_sim_pmu_setup - settings from module parameters
 * @rates: initial rates of all CPUs, counts per second of each event
 * @latch_at_start: take the event number at start and not only at add
 * @split: register two PMUs, n3_sim for even CPUs and n3_sim_odd for odd ones
 * @counters: initial number of programmable counters
 * @odd_counters: the same for n3_sim_odd
 */
struct n3_sim_pmu_setup {
	const u64 *rates;
	bool latch_at_start;
	bool split;
	unsigned int counters;
	unsigned int odd_counters;
};

extern struct n3_sim_core __percpu *n3_sim_cores;
extern const struct attribute_group *n3_sim_attr_groups[];

int n3_sim_pmu_init(const struct n3_sim_pmu_setup *setup);
void n3_sim_pmu_exit(void);
u32 n3_sim_pmu_type(unsigned int cpu);
unsigned int n3_sim_counters(unsigned int cpu);
void n3_sim_set_counters(unsigned int cpu, unsigned int counters);

#endif /* _N3_SIM_PMU_H */
