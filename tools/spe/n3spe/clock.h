/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * perf's conversion of ticks of SPE's timer to nanoseconds: see the end of struct
 * perf_event_mmap_page's comment.
 */
#ifndef N3SPE_CLOCK_H
#define N3SPE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct spe_clock {
	uint64_t zero, cycles, mask;
	uint32_t mult;
	uint16_t shift;
	bool is_known;
	bool is_short;		/* the counter has fewer than 64 bits */
};

/* Same as in the kernel, without overflow. */
static inline uint64_t spe_clock_time(const struct spe_clock *clock, uint64_t ticks)
{
	uint64_t quotient, rest;

	if (clock->is_short)
		ticks = clock->cycles + ((ticks - clock->cycles) & clock->mask);
	quotient = ticks >> clock->shift;
	rest = ticks & ((1ULL << clock->shift) - 1);
	return clock->zero + quotient * clock->mult + ((rest * clock->mult) >> clock->shift);
}

#endif
