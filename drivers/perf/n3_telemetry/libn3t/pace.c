// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * How long slices are, so that they cost the CPU no more than they may: a policy, from
 * what they took to how long the next ones are.
 *
 * Slices become longer as soon as they cost too much, and shorter again only where
 * that leaves a fifth to spare: a cost that is about the limit does not make their length
 * go up and down. A hypervisor that takes the CPU away in the middle of a slice makes it look
 * as if that had taken milliseconds: one slice counts as four typical ones at most.
 */
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>
#include <kunit/visibility.h>

#include "libn3t/pace.h"

#define MEASURE_NS	(250 * NSEC_PER_MSEC)
#define WEIGHT		4	/* one in so many: of what was measured last */
#define MOST_TYPICAL	4

/**
 * n3t_pace_start() - measure from now on
 * @pace: of a CPU; what is known of its slices stays
 * @now_ns: the time
 */
void n3t_pace_start(struct n3t_pace *pace, u64 now_ns)
{
	pace->since_ns = now_ns;
	pace->slices = 0;
	pace->cost = 0;
	pace->least = U64_MAX;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_pace_start);

/**
 * n3t_pace_add() - a slice has ended
 * @pace: of the CPU
 * @cost: what it took
 * @now_ns: the time
 *
 * Context: The CPU's sampler alone.
 * Return: true if it is time for n3t_pace_measured().
 */
bool n3t_pace_add(struct n3t_pace *pace, u64 cost, u64 now_ns)
{
	pace->slices++;
	pace->cost += pace->most ? min(cost, pace->most) : cost;
	pace->least = min(pace->least, cost);
	return now_ns - pace->since_ns >= MEASURE_NS;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_pace_add);

/**
 * n3t_pace_measured() - learn what a slice takes
 * @pace: of the CPU, to which slices were added
 * @now_ns: the time
 *
 * The first time it is the least that one took, as nothing tells yet which were typical.
 *
 * Context: The CPU's sampler alone.
 */
void n3t_pace_measured(struct n3t_pace *pace, u64 now_ns)
{
	u64 mean = div64_u64(pace->cost << N3T_PACE_SHIFT, pace->slices);

	if (pace->most)
		pace->typical = div64_u64((WEIGHT - 1) * pace->typical + mean, WEIGHT);
	else
		pace->typical = pace->least << N3T_PACE_SHIFT;
	/* At least a few units of a coarse clock. */
	pace->most = (MOST_TYPICAL * pace->typical >> N3T_PACE_SHIFT) + MOST_TYPICAL;
	n3t_pace_start(pace, now_ns);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_pace_measured);

/* How long slices have to be: nanoseconds by millionths are milliseconds. */
static unsigned int least_ms(u64 slice_ns, unsigned int slice_ms, unsigned int max_cost)
{
	u64 ms = div64_u64(slice_ns + max_cost - 1, max_cost);

	return clamp(ms, (u64)slice_ms, N3T_SLICE_MS_MAX + 0ull);
}

/**
 * n3t_pace_slice_ms() - how long slices are to be
 * @pace: of the CPU
 * @slice_ms: what was set: they are never shorter
 * @max_cost: what they may take in millionths of the time, 0 for any
 * @now_ms: how long they are now
 *
 * Return: milliseconds, N3T_SLICE_MS_MAX at the most.
 */
unsigned int n3t_pace_slice_ms(const struct n3t_pace *pace, unsigned int slice_ms,
			       unsigned int max_cost, unsigned int now_ms)
{
	unsigned int least, spare;

	if (!max_cost)
		return slice_ms;

	least = least_ms(pace->slice_ns, slice_ms, max_cost);
	spare = least_ms(pace->slice_ns + pace->slice_ns / 4, slice_ms, max_cost);
	return clamp(now_ms, least, spare);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_pace_slice_ms);
