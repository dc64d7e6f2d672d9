// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Slice length that keeps the cost of sampling within its limit: a policy from measured
 * cost to the length of the next slices.
 *
 * Slices become longer as soon as they cost too much, and shorter only if that leaves a
 * fifth of the limit unused: a cost close to the limit does not make their length
 * oscillate. A hypervisor that preempts the CPU in the middle of a slice makes it appear to
 * take milliseconds, so the cost of one slice is capped at four times the typical one.
 */
#include <linux/export.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>
#include <kunit/visibility.h>

#include "libn3t/pace.h"

#define MEASURE_NS	(250 * NSEC_PER_MSEC)
#define WEIGHT		4	/* reciprocal weight of the newest measurement */
#define MAX_TYPICAL	4

/* Starts a measurement; the result of the last one remains. */
void n3t_pace_start(struct n3t_pace *pace, u64 now_ns)
{
	pace->since_ns = now_ns;
	pace->slices = 0;
	pace->cost = 0;
	pace->least = U64_MAX;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_pace_start);

/* A slice of this cost has ended; true if it is time for n3t_pace_update(). */
bool n3t_pace_add(struct n3t_pace *pace, u64 cost, u64 now_ns)
{
	pace->slices++;
	pace->cost += pace->most ? min(cost, pace->most) : cost;
	pace->least = min(pace->least, cost);
	return now_ns - pace->since_ns >= MEASURE_NS;
}
EXPORT_SYMBOL_IF_KUNIT(n3t_pace_add);

/**
 * n3t_pace_update() - update the typical cost of a slice
 * @pace: pace of the CPU, with at least one slice added
 * @now_ns: current time
 *
 * The first measurement uses the cheapest slice: no typical cost is known yet.
 *
 * Context: Only the CPU's sampler.
 */
void n3t_pace_update(struct n3t_pace *pace, u64 now_ns)
{
	u64 mean = div64_u64(pace->cost << N3T_PACE_SHIFT, pace->slices);

	if (pace->most)
		pace->typical = div64_u64((WEIGHT - 1) * pace->typical + mean, WEIGHT);
	else
		pace->typical = pace->least << N3T_PACE_SHIFT;
	/* Not below a few units of a coarse clock. */
	pace->most = (MAX_TYPICAL * pace->typical >> N3T_PACE_SHIFT) + MAX_TYPICAL;
	n3t_pace_start(pace, now_ns);
}
EXPORT_SYMBOL_IF_KUNIT(n3t_pace_update);

/* Minimum slice length: nanoseconds divided by ppm are milliseconds. */
static unsigned int least_ms(u64 slice_ns, unsigned int slice_ms, unsigned int max_cost)
{
	u64 ms = div64_u64(slice_ns + max_cost - 1, max_cost);

	return clamp(ms, (u64)slice_ms, N3T_SLICE_MS_MAX + 0ull);
}

/**
 * n3t_pace_slice_ms() - choose the slice length
 * @pace: pace of the CPU
 * @slice_ms: configured length, the minimum
 * @max_cost: limit of the cost in ppm of the time, 0 for none
 * @now_ms: current length
 *
 * Return: the length in milliseconds, at most N3T_SLICE_MS_MAX.
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
