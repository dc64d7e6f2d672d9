/* SPDX-License-Identifier: GPL-2.0 */
/* Counters held by one CPU, and switching the events that they count. */
#ifndef _N3T_COUNTERS_H
#define _N3T_COUNTERS_H

#include "libn3t/n3t.h"
#include "libn3t/plan.h"
#include "pmu.h"

struct n3t_slice;
struct perf_event;

/**
 * struct n3t_counter - one perf event, and its readings at the start of the slice
 * @event: held as long as the CPU is sampled
 * @start: its count at the start
 * @lost_ns: total time without a counter until the start
 * @counted: its count in the previous slice
 * @n: its register if it has one and @direct is set, see n3t_perf_register()
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
 * @pmu: their PMU
 * @budget: number of programmable counters held
 * @direct: access through registers, see direct.c
 * @mistyped: a register did not hold the type of its event, here or on another
 *	CPU: slices are dropped until registers are no longer used
 * @mismatch: a register did not hold the type of its event here
 * @agreed_kept: number of slices that the CPU had kept when types last agreed
 * @verify_ns: time of the next check of types, if @direct; 0 in the first slice, before
 *	which they are checked as well
 * @set: the set that is counted, NULL before the first slice
 * @used: mask of the counters that count @set, plus one bit for the cycle counter
 * @place: index of the counter of each event of @set
 * @place_of: index of the counter that last counted each event of the plan
 * @whole: every event had a counter when the slice started
 * @disturbed: an NMI enabled the PMU at the start of the slice, or @mistyped
 * @start_ns: start of the slice, ktime_get_mono_fast_ns()
 * @cycles: the cycle counter
 * @prog: the programmable counters
 *
 * @budget, @direct and the events change only while the CPU's sampler is stopped.
 * The rest belongs to the sampler, on the CPU itself with interrupts off.
 */
struct n3t_counters {
	struct n3t_pmu *pmu;
	unsigned int budget;
	bool direct;
	bool mistyped;
	bool mismatch;
	u64 agreed_kept;
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

/* Types are to be verified in the current slice: true once in ten seconds. */
static inline bool n3t_counters_verify_is_due(const struct n3t_counters *counters, u64 now)
{
	return now >= counters->verify_ns && counters->direct && counters->set;
}

int n3t_counters_open(struct n3t_counters *counters, struct n3t_pmu *pmu, unsigned int cpu,
		      unsigned int target);
int n3t_counters_grow(struct n3t_counters *counters, unsigned int cpu, unsigned int target);
void n3t_counters_shrink(struct n3t_counters *counters, unsigned int target);
void n3t_counters_close(struct n3t_counters *counters);
void n3t_counters_switch(struct n3t_counters *counters, const struct n3t_set *next, u64 now,
			 struct n3t_slice *slice);
void n3t_counters_verify(struct n3t_counters *counters, u64 now, u64 kept);
void n3t_counters_rewind(struct n3t_counters *counters, unsigned int cpu, u64 kept);
void n3t_counters_verify_last(struct n3t_counters *counters, unsigned int cpu, u64 kept);
void n3t_counters_end_direct(struct n3t_counters *counters, unsigned int cpu);
void n3t_counters_self_test(struct n3t_counters *counters, unsigned int cpu,
			    enum n3t_switch setting);
void n3t_counters_settle(struct n3t_counters *counters, enum n3t_switch how);
void n3t_counters_note_section(u64 start);
u64 n3t_counters_longest_ns(unsigned int cpu);

#endif /* _N3T_COUNTERS_H */
