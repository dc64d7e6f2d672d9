/* SPDX-License-Identifier: GPL-2.0 */
/* What it costs to stop and start counters when a CPU loses its power in an idle state. */
#ifndef _N3T_POWER_H
#define _N3T_POWER_H

#include <linux/types.h>

struct n3t_cpu;

/**
 * struct n3t_power_downs - power-downs of one kind
 * @nr: how many
 * @cost: the time between the two notifiers, on the way in and out, by n3t_cost_clock()
 */
struct n3t_power_downs {
	u64 nr;
	u64 cost;
};

/**
 * struct n3t_power - power-downs of a CPU
 * @downs: how often the CPU has lost its power, or has been about to
 * @held: those of them while its counters were held
 * @unused: those while nobody had any counter of it
 * @kind: which of these two the last one is, NULL for neither
 * @since: when the part began that is under way, by n3t_cost_clock()
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
