/* SPDX-License-Identifier: GPL-2.0 */
/* The values of metrics now: of a CPU, of a node, of the whole system. */
#ifndef _N3T_VALUES_H
#define _N3T_VALUES_H

#include "fixed.h"
#include "n3t.h"

struct n3t_cpu;
struct n3t_plan;
struct n3t_view;
struct n3t_window;

/**
 * enum n3t_scope - what values are of
 * @N3T_SCOPE_CPU: a CPU, counted together
 * @N3T_SCOPE_NODE: the CPUs of a NUMA node
 * @N3T_SCOPE_SYSTEM: all CPUs
 */
enum n3t_scope {
	N3T_SCOPE_CPU,
	N3T_SCOPE_NODE,
	N3T_SCOPE_SYSTEM,
};

/**
 * struct n3t_value - the value of a metric
 * @verdict: N3T_VALUE, or why there is none
 * @ratio: the exact value
 */
struct n3t_value {
	enum n3t_verdict verdict;
	struct n3t_ratio ratio;
};

/**
 * struct n3t_coverage - how the CPUs of a scope stand
 * @cpus: how many there could be
 * @held: those whose counts make up the values
 * @by_verdict: the others, by what they say
 */
struct n3t_coverage {
	unsigned int cpus;
	unsigned int held;
	unsigned int by_verdict[N3T_VALUE];
};

bool n3t_scope_has(enum n3t_scope scope, unsigned int id, unsigned int cpu);
const struct n3t_plan *n3t_values_plan(const struct n3t_cpu *cpu);
int n3t_values_view(const struct n3t_cpu *cpu, struct n3t_view *view);
struct n3t_window *n3t_values_window(const struct n3t_cpu *cpu);
int n3t_values_get(enum n3t_scope scope, unsigned int id, const u8 *metrics, unsigned int nr,
		   struct n3t_value *values);
int n3t_values_coverage(enum n3t_scope scope, unsigned int id, struct n3t_coverage *coverage);

#endif /* _N3T_VALUES_H */
