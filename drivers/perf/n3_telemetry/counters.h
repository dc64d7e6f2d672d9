/* SPDX-License-Identifier: GPL-2.0 */
/* The counters that one CPU holds, and changing what they count. */
#ifndef _N3T_COUNTERS_H
#define _N3T_COUNTERS_H

#include "n3t.h"

struct n3t_pmu;
struct n3t_set;
struct n3t_slice;
struct perf_event;

/**
 * struct n3t_counter - one perf event, and what it read when its slice started
 * @event: held as long as the CPU is sampled
 * @start: its count then
 * @lost_ns: how long it had waited for a counter until then
 */
struct n3t_counter {
	struct perf_event *event;
	u64 start;
	u64 lost_ns;
};

/**
 * struct n3t_counters - the counters of one CPU
 * @pmu: whose they are
 * @budget: number of programmable counters held
 * @set: what they count now, NULL before the first slice
 * @whole: every event had a counter when the slice started
 * @disturbed: an NMI enabled the PMU while the slice was being started
 * @start_ns: when the slice started, ktime_get_mono_fast_ns()
 * @cycles: the cycle counter
 * @prog: the programmable counters
 *
 * @budget and the events change with the CPU's sampler stopped. All else belongs
 * to the sampler, on the CPU itself with interrupts off.
 */
struct n3t_counters {
	struct n3t_pmu *pmu;
	unsigned int budget;
	const struct n3t_set *set;
	bool whole;
	bool disturbed;
	u64 start_ns;
	struct n3t_counter cycles;
	struct n3t_counter prog[N3T_MAX_COUNTERS];
};

int n3t_counters_open(struct n3t_counters *counters, struct n3t_pmu *pmu, unsigned int cpu,
		      unsigned int target);
int n3t_counters_grow(struct n3t_counters *counters, unsigned int cpu, unsigned int target);
void n3t_counters_shrink(struct n3t_counters *counters, unsigned int target);
void n3t_counters_close(struct n3t_counters *counters);
void n3t_counters_switch(struct n3t_counters *counters, const struct n3t_set *next,
			 struct n3t_slice *slice);
void n3t_counters_self_test(struct n3t_counters *counters, unsigned int cpu);

#endif /* _N3T_COUNTERS_H */
