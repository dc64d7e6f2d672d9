/* SPDX-License-Identifier: GPL-2.0 */
/* Cost of stopping and restarting counters when a CPU loses power in an idle state. */
#ifndef _N3T_POWER_H
#define _N3T_POWER_H

#include <linux/types.h>

struct n3t_cpu;

/**
 * struct n3t_power_downs - power-downs of one kind
 * @nr: number of power-downs
 * @cost: total time between the two notifiers, by n3t_cost_clock()
 */
struct n3t_power_downs {
	u64 nr;
	u64 cost;
};

/**
 * struct n3t_power - power-downs of a CPU
 * @downs: number of times that the CPU lost power, or was about to
 * @held: power-downs while this module held counters
 * @unused: power-downs while no counters of the CPU were in use
 * @kind: the one of these two that includes the last power-down, or NULL
 * @since: start of the current measurement, by n3t_cost_clock()
 *
 * Written by the CPU itself, on its way into an idle state and out, interrupts off.
 */
struct n3t_power {
	u64 downs;
	struct n3t_power_downs held;
	struct n3t_power_downs unused;
	struct n3t_power_downs *kind;
	u64 since;
};

int n3t_power_init(struct n3t_cpu *per_cpu);
void n3t_power_exit(void);
s64 n3t_power_charged_ns(const struct n3t_power *power);
u64 n3t_power_cost_ns(const struct n3t_power *power);

#endif /* _N3T_POWER_H */
