// SPDX-License-Identifier: GPL-2.0
/* The values of metrics now: of a CPU, of a node, of the whole system. */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/topology.h>

#include "combine.h"
#include "control.h"
#include "cpus.h"
#include "quality.h"
#include "values.h"

/**
 * n3t_scope_has() - is a CPU in a scope
 * @scope: what kind
 * @id: which: a CPU, a node
 * @cpu: a possible CPU
 *
 * Return: true if it is.
 */
bool n3t_scope_has(enum n3t_scope scope, unsigned int id, unsigned int cpu)
{
	switch (scope) {
	case N3T_SCOPE_CPU:
		return cpu == id;
	case N3T_SCOPE_NODE:
		return cpu_to_node(cpu) == id;
	default:
		return true;
	}
}

/* Begin and end of the window that ends now. */
static void window_now(u64 *since_ns, u64 *until_ns)
{
	u64 length_ns = (u64)n3t_config->window_ms * NSEC_PER_MSEC;

	*until_ns = ktime_get_mono_fast_ns();
	*since_ns = *until_ns > length_ns ? *until_ns - length_ns : 0;
}

static struct n3t_window *sum_window(const struct n3t_cpu *cpu, u64 since_ns)
{
	const struct n3t_run *run = cpu->run;
	struct n3t_window *window;

	lockdep_assert_held(&n3t_control_lock);

	if (!run)
		return NULL;

	window = kvzalloc(struct_size(window, sum, run->plan->nr_sets), GFP_KERNEL);
	if (!window)
		return ERR_PTR(-ENOMEM);

	n3t_window_sum(window, &run->ring, run->plan, since_ns);
	n3t_window_judge(window, run->plan);
	return window;
}

/**
 * n3t_values_window() - sum up the window of a CPU that ends now
 * @cpu: the CPU
 *
 * Context: may sleep; n3t_control_lock held.
 * Return: the sums for kvfree(); NULL if the CPU is not sampled; -ENOMEM.
 */
struct n3t_window *n3t_values_window(const struct n3t_cpu *cpu)
{
	u64 since_ns, until_ns;

	window_now(&since_ns, &until_ns);
	return sum_window(cpu, since_ns);
}

/**
 * n3t_values_view() - the window of a CPU with its slices
 * @cpu: the CPU
 * @view: the answer; its window is for kvfree()
 *
 * Context: may sleep; n3t_control_lock held as long as @view is used.
 * Return: 0 or -ENOMEM.
 */
int n3t_values_view(const struct n3t_cpu *cpu, struct n3t_view *view)
{
	struct n3t_window *window;

	window_now(&view->since_ns, &view->until_ns);
	window = sum_window(cpu, view->since_ns);
	if (IS_ERR(window))
		return PTR_ERR(window);

	view->state = cpu->state;
	view->plan = n3t_values_plan(cpu);
	view->window = window;
	view->ring = cpu->run ? &cpu->run->ring : NULL;
	return 0;
}

/**
 * n3t_values_plan() - the plan by which a CPU is sampled
 * @cpu: the CPU
 *
 * Context: n3t_control_lock held.
 * Return: its plan; while it is not sampled that of a usual CPU, which tells
 * what is placed.
 */
const struct n3t_plan *n3t_values_plan(const struct n3t_cpu *cpu)
{
	return cpu->run ? cpu->run->plan : n3t_config->plan[n3t_usual_budget];
}

static int values_of_cpu(const struct n3t_cpu *cpu, const u8 *metrics, unsigned int nr,
			 struct n3t_value *values)
{
	const struct n3t_plan *plan = n3t_values_plan(cpu);
	struct n3t_window *window = n3t_values_window(cpu);
	unsigned int i;

	if (IS_ERR(window))
		return PTR_ERR(window);

	for (i = 0; i < nr; i++)
		values[i].verdict = n3t_metric_value(metrics[i], cpu->state, plan, window,
						     &values[i].ratio);
	kvfree(window);
	return 0;
}

static int add_cpu_to(struct n3t_combined *combined, unsigned int nr, const struct n3t_cpu *cpu)
{
	const struct n3t_plan *plan = n3t_values_plan(cpu);
	struct n3t_window *window = n3t_values_window(cpu);
	enum n3t_verdict verdict;
	struct n3t_ratio ignored;
	unsigned int i;

	if (IS_ERR(window))
		return PTR_ERR(window);

	for (i = 0; i < nr; i++) {
		verdict = n3t_metric_value(combined[i].metric, cpu->state, plan, window, &ignored);
		n3t_combine_add(&combined[i], verdict, plan, window);
	}
	kvfree(window);
	return 0;
}

static int values_of_several(enum n3t_scope scope, unsigned int id, const u8 *metrics,
			     unsigned int nr, struct n3t_value *values)
{
	struct n3t_combined *combined;
	unsigned int cpu, i;
	int ret = 0;

	combined = kvcalloc(nr, sizeof(*combined), GFP_KERNEL);
	if (!combined)
		return -ENOMEM;

	for (i = 0; i < nr; i++)
		n3t_combine_begin(&combined[i], metrics[i]);

	for_each_possible_cpu(cpu) {
		if (!n3t_scope_has(scope, id, cpu))
			continue;
		ret = add_cpu_to(combined, nr, n3t_cpus_get(cpu));
		if (ret)
			break;
	}

	for (i = 0; i < nr; i++)
		values[i].verdict = n3t_combine_end(&combined[i], &values[i].ratio);
	kvfree(combined);
	return ret;
}

/**
 * n3t_values_get() - the values of some metrics now
 * @scope: of what
 * @id: of which
 * @metrics: the metrics
 * @nr: how many
 * @values: the values
 *
 * Context: may sleep; n3t_control_lock held.
 * Return: 0 or -ENOMEM.
 */
int n3t_values_get(enum n3t_scope scope, unsigned int id, const u8 *metrics, unsigned int nr,
		   struct n3t_value *values)
{
	if (scope == N3T_SCOPE_CPU)
		return values_of_cpu(n3t_cpus_get(id), metrics, nr, values);
	return values_of_several(scope, id, metrics, nr, values);
}

static int cover(struct n3t_coverage *coverage, const struct n3t_cpu *cpu)
{
	struct n3t_window *window = n3t_values_window(cpu);
	enum n3t_verdict verdict;

	if (IS_ERR(window))
		return PTR_ERR(window);

	coverage->cpus++;
	verdict = n3t_cpu_verdict(cpu->state, window);
	if (verdict == N3T_VALUE)
		coverage->held++;
	else
		coverage->by_verdict[verdict]++;
	kvfree(window);
	return 0;
}

/**
 * n3t_values_coverage() - how the CPUs of a scope stand
 * @scope: of what
 * @id: of which
 * @coverage: the answer
 *
 * Context: may sleep; n3t_control_lock held.
 * Return: 0 or -ENOMEM.
 */
int n3t_values_coverage(enum n3t_scope scope, unsigned int id, struct n3t_coverage *coverage)
{
	unsigned int cpu;
	int ret;

	memset(coverage, 0, sizeof(*coverage));
	for_each_possible_cpu(cpu) {
		if (!n3t_scope_has(scope, id, cpu))
			continue;
		ret = cover(coverage, n3t_cpus_get(cpu));
		if (ret)
			return ret;
	}
	return 0;
}
