/* SPDX-License-Identifier: GPL-2.0 */
/* Current values of metrics for a CPU, a node or the whole system. */
#ifndef _N3T_VALUES_H
#define _N3T_VALUES_H

#include "libn3t/n3t.h"
#include "libn3t/verdict.h"

struct n3t_config;
struct n3t_cpu;
struct n3t_ratio;
struct n3t_run;
struct n3t_settings;

/* Scope of values: one CPU, the CPUs of a NUMA node, or all. */
enum n3t_scope {
	N3T_SCOPE_CPU,
	N3T_SCOPE_NODE,
	N3T_SCOPE_SYSTEM,
};

/**
 * struct n3t_view - one CPU's data for computing values
 * @cpu: the CPU
 * @state: its state
 * @plan: the plan in force on it
 * @run: its run, held; NULL if it is not sampled
 * @window: sums of its slices; NULL without a @run
 */
struct n3t_view {
	const struct n3t_cpu *cpu;
	enum n3t_cpu_state state;
	const struct n3t_plan *plan;
	struct n3t_run *run;
	struct n3t_window *window;
};

/**
 * struct n3t_views - the CPUs of a scope, each with its window
 * @scope: the kind of scope
 * @config: the active configuration, held
 * @nr: number of CPUs
 * @windows: windows of all CPUs, in one allocation
 * @view: the CPUs; holds references to the data they point to
 *
 * All values of one read come from one of these. It belongs to the reader and
 * needs no lock, and nothing waits for its release.
 */
struct n3t_views {
	enum n3t_scope scope;
	struct n3t_config *config;
	unsigned int nr;
	void *windows;
	struct n3t_view view[];
};

/* Numbers of CPUs of a scope: all, those whose counts make up values, and the others by verdict. */
struct n3t_coverage {
	unsigned int cpus;
	unsigned int included;
	unsigned int by_verdict[N3T_VALUE];
};

bool n3t_scope_has(enum n3t_scope scope, unsigned int id, unsigned int cpu);
struct n3t_views *n3t_views_get(enum n3t_scope scope, unsigned int id);
void n3t_views_put(struct n3t_views *views);
enum n3t_verdict n3t_views_value(struct n3t_views *views, enum n3t_metric metric,
				 struct n3t_ratio *value);
void n3t_views_coverage(const struct n3t_views *views, struct n3t_coverage *coverage);
int n3t_moments_read(unsigned int cpu, unsigned int record, void *buf);
const struct n3t_settings *n3t_view_settings(const struct n3t_view *view);

#endif /* _N3T_VALUES_H */
