/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Totals: counts of a CPU since the module was loaded, over all its runs. */
#ifndef _N3T_TOTALS_H
#define _N3T_TOTALS_H

#include <linux/bitmap.h>

#include "libn3t/fixed.h"
#include "libn3t/formula.h"
#include "libn3t/n3t.h"
#include "libn3t/plan.h"
#include "libn3t/slices.h"

/**
 * enum n3t_time - use of a CPU's time, by which it is divided without gaps
 * @N3T_TIME_SAMPLED: in kept slices
 * @N3T_TIME_DROPPED: in dropped slices, or between two slices
 * @N3T_TIME_YIELDED: the counters were yielded or not available
 * @N3T_TIME_OFF: sampling was off, or the CPU
 * @N3T_NR_TIMES: number of uses
 */
enum n3t_time {
	N3T_TIME_SAMPLED,
	N3T_TIME_DROPPED,
	N3T_TIME_YIELDED,
	N3T_TIME_OFF,
	N3T_NR_TIMES,
};

/* Numbers of the file "time" that follow those of enum n3t_time. */
enum {
	N3T_TIME_START = N3T_NR_TIMES,
	N3T_TIME_START_UNIX,
	N3T_TIME_SAMPLER,
	N3T_TIME_CYCLES,
	N3T_NR_TIME_KEYS,
};

/**
 * struct n3t_times - a CPU's time by use
 * @ns: time by use, up to @since_ns
 * @cycles: CPU_CYCLES in the time sampled
 * @has_cycles: CPU_CYCLES were counted, and not distrusted
 * @use: use since then; N3T_TIME_SAMPLED while there is a run, whose slices decide
 * @since_ns: when @use began
 */
struct n3t_times {
	u64 ns[N3T_NR_TIMES];
	u64 cycles;
	bool has_cycles;
	enum n3t_time use;
	u64 since_ns;
};

/**
 * enum n3t_slots - totals of Topdown_L1
 * @N3T_SLOTS: all slots
 * @N3T_SLOTS_STALL: STALL_SLOT
 * @N3T_SLOTS_FRONTEND_STALL: STALL_SLOT_FRONTEND
 * @N3T_SLOTS_BACKEND_STALL: STALL_SLOT_BACKEND
 * @N3T_SLOTS_FRONTEND_FLUSH: slots of the cycles counted by STALL_FRONTEND_FLUSH
 * @N3T_SLOTS_RETIRED: OP_RETIRED
 * @N3T_SLOTS_SPECULATED: OP_SPEC
 * @N3T_NR_SLOTS: number of totals
 */
enum n3t_slots {
	N3T_SLOTS,
	N3T_SLOTS_STALL,
	N3T_SLOTS_FRONTEND_STALL,
	N3T_SLOTS_BACKEND_STALL,
	N3T_SLOTS_FRONTEND_FLUSH,
	N3T_SLOTS_RETIRED,
	N3T_SLOTS_SPECULATED,
	N3T_NR_SLOTS,
};

/**
 * struct n3t_slots_info - one of the totals of Topdown_L1
 * @key: its key
 * @code: number of the event that it is of
 * @in_cycles: the event counts cycles, which are multiplied by the slots per cycle
 */
struct n3t_slots_info {
	const char *key;
	u16 code;
	bool in_cycles;
};

/**
 * struct n3t_totals - sums over all slices of a CPU, modulo 2^64
 * @slots: totals of Topdown_L1
 * @has_slots: mask of those that were ever counted
 * @part: parts of each metric
 * @has_part: those that were ever counted, @part seen as one array
 *
 * All counts are weighted: a set with 1 of 30 slices counts 30 times. The weight is an
 * integer, the same for all events of a set, so quotients within a set are exact, and
 * totals of different plans can be added up. It makes up for the turns of other sets,
 * not for time that is dropped or yielded.
 */
struct n3t_totals {
	u64 slots[N3T_NR_SLOTS];
	unsigned int has_slots;
	u64 part[N3T_NR_METRICS][N3T_NR_PARTS];
	DECLARE_BITMAP(has_part, N3T_NR_METRICS * N3T_NR_PARTS);
};

extern const struct n3t_slots_info n3t_slots_info[N3T_NR_SLOTS];
extern const char * const n3t_part_suffixes[N3T_NR_PARTS];
extern const char * const n3t_time_keys[N3T_NR_TIME_KEYS];

u64 n3t_set_weight(const struct n3t_plan *plan, unsigned int set);
unsigned int n3t_slots_counts(const struct n3t_plan *plan);
unsigned int n3t_slots_add(u64 *slots, const struct n3t_plan *plan,
			   const struct n3t_set_sum *sum);
unsigned int n3t_totals_add_slots(u64 *slots, const struct n3t_plan *plan,
				  const struct n3t_ring *ring);
unsigned int n3t_totals_add_metric(u64 *parts, enum n3t_metric metric,
				   const struct n3t_plan *plan, const struct n3t_ring *ring);
void n3t_totals_add(struct n3t_totals *totals, const struct n3t_plan *plan,
		    const struct n3t_ring *ring);

void n3t_total_add(struct n3t_wide *sum, u64 total);
int n3t_total_print(char *buf, size_t size, const struct n3t_wide *sum);

void n3t_times_change(struct n3t_times *times, const struct n3t_plan *plan,
		      const struct n3t_ring *ring, enum n3t_time use, u64 now_ns);
void n3t_times_until(struct n3t_times *times, const struct n3t_plan *plan,
		     const struct n3t_ring *ring, u64 now_ns);

#endif /* _N3T_TOTALS_H */
