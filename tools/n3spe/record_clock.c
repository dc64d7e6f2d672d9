// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Timer of SPE's timestamps, converted to perf's nanoseconds. */
#include <stdatomic.h>

#include "record_clock.h"

void spe_clock_read(struct spe_clock *clock, const struct perf_event_mmap_page *page)
{
	uint32_t lock;

	do {
		/* pairs with the barriers of perf_event_update_userpage() */
		lock = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
		*clock = (struct spe_clock) {
			.zero = page->time_zero,
			.cycles = page->time_cycles,
			.mask = page->time_mask,
			.mult = page->time_mult,
			.shift = page->time_shift,
			.is_known = page->cap_user_time_zero,
			.is_short = page->cap_user_time_short,
		};
		atomic_thread_fence(memory_order_acquire);
	} while (lock & 1 || lock != __atomic_load_n(&page->lock, __ATOMIC_RELAXED));
}

uint64_t spe_clock_now(const struct spe_clock *clock)
{
	uint64_t ticks = spe_timer(), whole, rest;

	if (!clock->is_known)
		return 0;
	if (clock->is_short)
		ticks = clock->cycles + ((ticks - clock->cycles) & clock->mask);
	whole = ticks >> clock->shift;
	rest = ticks & ((1ULL << clock->shift) - 1);
	return clock->zero + whole * clock->mult + ((rest * clock->mult) >> clock->shift);
}
