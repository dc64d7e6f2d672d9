/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* How long slices are, so that they cost the CPU no more than they may. */
#ifndef _N3T_PACE_H
#define _N3T_PACE_H

#include <linux/types.h>

#define N3T_SLICE_MS_MAX	1000

#define N3T_PACE_SHIFT		8

/**
 * struct n3t_pace - what slices of a CPU cost
 * @since_ns: when measuring started
 * @slices: slices since then
 * @cost: what they took, in the unit of the caller
 * @least: the least that one of them took
 * @most: what is counted of one at the most, 0 for all
 * @typical: what a slice takes, a mean of about the last second, in units >> N3T_PACE_SHIFT;
 *	     0 if unknown
 * @slice_ns: the same in nanoseconds; the caller's
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
void n3t_pace_measured(struct n3t_pace *pace, u64 now_ns);
unsigned int n3t_pace_slice_ms(const struct n3t_pace *pace, unsigned int slice_ms,
			       unsigned int max_cost, unsigned int now_ms);

#endif /* _N3T_PACE_H */
