/* SPDX-License-Identifier: GPL-2.0 */
/* What it costs to stop and start counters when a CPU loses its power in an idle state. */
#ifndef _N3T_POWER_H
#define _N3T_POWER_H

#include <linux/types.h>

/**
 * struct n3t_power - power-downs of a CPU
 * @since: when the part began that is under way, by n3t_cost_clock()
 * @downs: how often the CPU has lost its power, or has been about to
 * @held: how often while its counters were held
 * @cost: what took its PMU's driver to stop and start them, by n3t_cost_clock()
 *
 * Written by the CPU itself, on its way into an idle state and out, interrupts off.
 */
struct n3t_power {
	u64 since;
	u64 downs;
	u64 held;
	u64 cost;
};

int n3t_power_init(void);
void n3t_power_exit(void);
u64 n3t_power_cost_ns(const struct n3t_power *power);

#endif /* _N3T_POWER_H */
