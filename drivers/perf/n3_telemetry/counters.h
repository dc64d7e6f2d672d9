/* SPDX-License-Identifier: GPL-2.0 */
/* The counters that one CPU holds, and changing what they count. */
#ifndef _N3T_COUNTERS_H
#define _N3T_COUNTERS_H

#include "n3t.h"

struct n3t_set;
struct n3t_slice;
struct perf_event;

/**
 * struct n3t_counter - one perf event and where its slice began
 * @event: held as long as the CPU is sampled
 * @begin: its count then
 * @lost_ns: time that it had waited for a counter until then
 * @counting: it had a counter when it was opened
 */
struct n3t_counter {
	struct perf_event *event;
	u64 begin;
	u64 lost_ns;
	bool counting;
};

/**
 * struct n3t_counters - the counters of one CPU
 * @budget: number of programmable counters held
 * @set: what they count now, NULL before the first slice
 * @whole: every counter was there when the slice began
 * @begin_ns: when that was, ktime_get_mono_fast_ns()
 * @cycles: the cycle counter
 * @prog: the programmable counters
 *
 * @budget and the events change with the CPU's sampler stopped. The rest is
 * the sampler's, on the CPU itself with interrupts off.
 */
struct n3t_counters {
	unsigned int budget;
	const struct n3t_set *set;
	bool whole;
	u64 begin_ns;
	struct n3t_counter cycles;
	struct n3t_counter prog[N3T_MAX_COUNTERS];
};

int n3t_counters_open(struct n3t_counters *counters, unsigned int cpu, unsigned int reserved);
int n3t_counters_grow(struct n3t_counters *counters, unsigned int cpu, unsigned int reserved);
void n3t_counters_close(struct n3t_counters *counters);
void n3t_counters_switch(struct n3t_counters *counters, const struct n3t_set *next,
			 struct n3t_slice *slice);
int n3t_counters_prove(unsigned int cpu, unsigned int *budget);

#endif /* _N3T_COUNTERS_H */
