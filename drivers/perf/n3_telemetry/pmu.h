/* SPDX-License-Identifier: GPL-2.0 */
/* Which PMU counts, and on which CPUs. */
#ifndef _N3T_PMU_H
#define _N3T_PMU_H

#include <linux/types.h>

struct perf_event;
struct pmu;

/**
 * struct n3t_pmu - the PMU that is used
 * @pmu: perf's own description of it; its module cannot go away meanwhile
 * @simulated: it was named by the user and is not the CPU's own
 * @long_counters: its counters are 64 bits wide if asked to be
 *
 * Written at load, before anything else looks at it.
 */
struct n3t_pmu {
	struct pmu *pmu;
	bool simulated;
	bool long_counters;
};

extern struct n3t_pmu n3t_pmu;

int n3t_pmu_init(const char *name);
void n3t_pmu_exit(void);
bool n3t_pmu_covers_this_cpu(void);
int n3t_pmu_first_cpu(void);
ktime_t n3t_pmu_rotation(void);
struct perf_event *n3t_pmu_event(unsigned int cpu, u16 code, bool disabled);

#endif /* _N3T_PMU_H */
