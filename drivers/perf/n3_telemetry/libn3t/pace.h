/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Slice length that keeps the cost of sampling within its limit. */
#ifndef _N3T_PACE_H
#define _N3T_PACE_H

#include <linux/types.h>

#define N3T_SLICE_MS_MAX	1000

#define N3T_PACE_SHIFT		8

/* Slice lengths of busy time without a new slice that mark a CPU as starved. */
#define N3T_STARVED_SLICES	4

/**
 * struct n3t_pace - cost of the slices of one CPU
 * @since_ns: start of the measurement
 * @slices: slices since then
 * @cost: their total cost, in the caller's unit
 * @least: lowest cost of one of them
 * @most: cap on the cost counted for one slice, 0 for none
 * @typical: mean cost of a slice over about the last second, in units >> N3T_PACE_SHIFT;
 *	     0 if unknown
 * @slice_ns: the same in nanoseconds, maintained by the caller
 */
struct n3t_pace {
	u64 since_ns;
	unsigned int slices;
	u64 cost;
	u64 least;
	u64 most;
	u64 typical;
	u64 slice_ns;
};

void n3t_pace_start(struct n3t_pace *pace, u64 now_ns);
bool n3t_pace_add(struct n3t_pace *pace, u64 cost, u64 now_ns);
void n3t_pace_update(struct n3t_pace *pace, u64 now_ns);
unsigned int n3t_pace_slice_ms(const struct n3t_pace *pace, unsigned int slice_ms,
			       unsigned int max_cost, unsigned int now_ms);

#endif /* _N3T_PACE_H */
