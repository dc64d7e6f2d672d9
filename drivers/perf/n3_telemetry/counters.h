/* SPDX-License-Identifier: GPL-2.0 */
/* The counters that one CPU holds, and changing what they count. */
#ifndef _N3T_COUNTERS_H
#define _N3T_COUNTERS_H

#include "libn3t/n3t.h"
#include "libn3t/plan.h"
#include "pmu.h"

struct n3t_slice;
struct perf_event;

/**
 * struct n3t_counter - one perf event, and what it read when its slice started
 * @event: held as long as the CPU is sampled
 * @start: its count then
 * @lost_ns: how long it had waited for a counter until then
 * @counted: its count in the slice before
 * @n: its register, if it has one and that is read, see n3t_perf_register()
 */
struct n3t_counter {
	struct perf_event *event;
	u64 start;
	u64 lost_ns;
	u64 counted;
	unsigned int n;
};

/**
 * struct n3t_counters - the counters of one CPU
 * @pmu: whose they are
 * @budget: number of programmable counters held
 * @direct: their registers are read and written, see direct.c
 * @mistyped: a register had another type than its event, here or on another CPU: slices are
 *	dropped until their registers are not used any more
 * @verify_ns: when types are compared next, if @direct; 0 for the first slice
 * @set: what they count now, NULL before the first slice
 * @used: those that count it, a bit for each, and one more for the cycle counter
 * @place: which of them, for each event of @set
 * @place_of: for each event of the plan which of them has counted it last, if any
 * @whole: every event had a counter when the slice started
 * @disturbed: an NMI enabled the PMU while the slice was being started, or @mistyped
 * @start_ns: when the slice started, ktime_get_mono_fast_ns()
 * @cycles: the cycle counter
 * @prog: the programmable counters
 *
 * @budget, @direct and the events change with the CPU's sampler stopped. The rest belongs
 * to the sampler, on the CPU itself with interrupts off.
 */
struct n3t_counters {
	struct n3t_pmu *pmu;
	unsigned int budget;
	bool direct;
	bool mistyped;
	u64 verify_ns;
	const struct n3t_set *set;
	u64 used;
	u8 place[N3T_MAX_COUNTERS];
	u8 place_of[N3T_MAX_EVENTS];
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
void n3t_counters_switch(struct n3t_counters *counters, const struct n3t_set *next, u64 now,
			 struct n3t_slice *slice);
void n3t_counters_rewind(struct n3t_counters *counters);
void n3t_counters_end_direct(struct n3t_counters *counters, unsigned int cpu);
void n3t_counters_self_test(struct n3t_counters *counters, unsigned int cpu,
			    enum n3t_switch setting);
void n3t_counters_settle(struct n3t_counters *counters, enum n3t_switch how);

#endif /* _N3T_COUNTERS_H */
