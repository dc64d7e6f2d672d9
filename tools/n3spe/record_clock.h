/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Timer of SPE's timestamps, converted to perf's nanoseconds. */
#ifndef N3SPE_RECORD_CLOCK_H
#define N3SPE_RECORD_CLOCK_H

#include <linux/perf_event.h>
#include <stdint.h>

/* perf's conversion of ticks: see the end of struct perf_event_mmap_page's comment. */
struct spe_clock {
	uint64_t zero, cycles, mask;
	uint32_t mult;
	uint16_t shift;
	uint8_t is_known, is_short;
};

#ifdef __aarch64__
static inline uint64_t spe_timer(void)
{
	uint64_t ticks;

	asm volatile("isb; mrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
	return ticks;
}
#else
/* Never called: only arm64 has SPE. */
static inline uint64_t spe_timer(void)
{
	return 0;
}
#endif

void spe_clock_read(struct spe_clock *clock, const struct perf_event_mmap_page *page);
/* Return: perf's time now, 0 if unknown. */
uint64_t spe_clock_now(const struct spe_clock *clock);

#endif
