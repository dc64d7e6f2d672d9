/* SPDX-License-Identifier: GPL-2.0 */
/* Direct access to counter and type registers, bypassing the PMU's driver. */
#ifndef _N3T_DIRECT_H
#define _N3T_DIRECT_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "perf_private.h"
#include "pmu.h"

struct n3t_counters;

/**
 * n3t_direct_read() - read the count of an event
 * @at: locations of its PMU's counters
 * @event: the event
 * @count: its count until now, or until it lost its counter
 * @n: its register, if it has a counter
 *
 * Context: on the event's CPU, interrupts off. If its PMU runs, an NMI may change the count
 * meanwhile.
 * Return: true if it has a counter that is not stopped.
 */
static __always_inline bool n3t_direct_read(const struct n3t_registers *at,
					    struct perf_event *event, u64 *count,
					    unsigned int *n)
{
	*n = n3t_perf_register(event, at->first_idx);
	*count = n3t_perf_count(event);
	if (unlikely(!n3t_perf_is_counting(event) ||
		     (*n >= at->nr && *n != N3T_CYCLE_REGISTER)))
		return false;

	*count += (n3t_perf_read_register(*n) - n3t_perf_base(event)) & at->width;
	return true;
}

int n3t_direct_find_register(const struct n3t_counters *counters, unsigned int i);
int n3t_direct_compare(const struct n3t_counters *counters, unsigned int i);
int n3t_direct_try_driver(const struct n3t_counters *counters, unsigned int i);
int n3t_direct_rewrite(const struct n3t_counters *counters, unsigned int i);
int n3t_direct_begin(const struct n3t_counters *counters, unsigned int i);
int n3t_direct_check_types(const struct n3t_counters *counters);

#endif /* _N3T_DIRECT_H */
