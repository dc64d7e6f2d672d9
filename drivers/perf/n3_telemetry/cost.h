/* SPDX-License-Identifier: GPL-2.0 */
/* Clock for the cost of the sampler itself: cheap to read, in its own unit. */
#ifndef _N3T_COST_H
#define _N3T_COST_H

#include <linux/math64.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>

#ifdef CONFIG_ARM64
#include <asm/arch_timer.h>

static inline u64 n3t_cost_clock(void)
{
	return __arch_counter_get_cntvct();
}

/* Firmware writes CNTFRQ_EL0. If it is 0, all costs are 0 and limit nothing. */
static inline u64 n3t_cost_ns(u64 cost)
{
	return mul_u64_u32_div(cost, NSEC_PER_SEC, arch_timer_get_cntfrq());
}
#else
static inline u64 n3t_cost_clock(void)
{
	return ktime_get_mono_fast_ns();
}

static inline u64 n3t_cost_ns(u64 cost)
{
	return cost;
}
#endif

#endif /* _N3T_COST_H */
