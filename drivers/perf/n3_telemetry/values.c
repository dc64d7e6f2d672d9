// SPDX-License-Identifier: GPL-2.0
/* The values of metrics now: of a CPU, of a node, of the whole system. */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/topology.h>

#include "combine.h"
#include "config.h"
#include "cpu.h"
#include "cpus.h"
#include "quality.h"
#include "values.h"

static bool scope_has(enum n3t_scope scope, unsigned int id, unsigned int cpu)
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

/* The run that a view holds: the one that its ring is part of. */
static struct n3t_run *run_of(const struct n3t_view *view)
{
	return view->ring ? container_of(view->ring, struct n3t_run, ring) : NULL;
}

static struct n3t_window *alloc_window(const struct n3t_run *run, u64 since_ns)
{
	struct n3t_window *window;

	window = kvmalloc(struct_size(window, sum, run->plan->nr_sets), GFP_KERNEL);
	if (window)
		n3t_window_init(window, &run->ring, since_ns);
	return window;
}

/* The plan for the nominal budget says what is placed on a CPU that is not sampled. */
static int view_get(struct n3t_view *view, const struct n3t_config *config, unsigned int nr)
{
	struct n3t_run *run = n3t_cpu_run(n3t_cpus_get(nr), &view->state);
	u64 window_ns;

	if (!run) {
		view->plan = n3t_config_plan(config, config->nominal);
		return 0;
	}

	window_ns = (u64)READ_ONCE(run->window_ms) * NSEC_PER_MSEC;
	view->until_ns = ktime_get_mono_fast_ns();
	view->since_ns = view->until_ns > window_ns ? view->until_ns - window_ns : 0;
	view->window = alloc_window(run, view->since_ns);
	if (!view->window) {
		n3t_run_put(run);
		return -ENOMEM;
	}
	view->plan = run->plan;
	view->ring = &run->ring;
	view->covariance = &run->covariance;
	return 0;
}

/**
 * n3t_views_put() - release the CPUs of a scope
 * @views: what n3t_views_get() returned
 *
 * Context: may sleep.
 */
void n3t_views_put(struct n3t_views *views)
{
	unsigned int i;

	for (i = 0; i < views->nr; i++) {
		kvfree(views->view[i].window);
		n3t_run_put(run_of(&views->view[i]));
	}
	n3t_config_put(views->config);
	kvfree(views);
}

/**
 * n3t_views_get() - the CPUs of a scope, each with its window that ends now
 * @scope: what kind
 * @id: which: a CPU, a node
 *
 * Context: may sleep; needs no lock.
 * Return: the CPUs for n3t_views_put(); -ENOMEM; -EINTR for a fatal signal.
 */
struct n3t_views *n3t_views_get(enum n3t_scope scope, unsigned int id)
{
	unsigned int most = scope == N3T_SCOPE_CPU ? 1 : num_possible_cpus();
	struct n3t_views *views;
	unsigned int cpu;
	int ret = 0;

	views = kvzalloc(struct_size(views, view, most), GFP_KERNEL);
	if (!views)
		return ERR_PTR(-ENOMEM);

	views->scope = scope;
	views->config = n3t_config_get();
	for_each_possible_cpu(cpu) {
		if (!scope_has(scope, id, cpu))
			continue;
		cond_resched();
		ret = fatal_signal_pending(current) ? -EINTR :
		      view_get(&views->view[views->nr], views->config, cpu);
		if (ret)
			break;
		views->nr++;
	}
	if (!ret)
		return views;

	n3t_views_put(views);
	return ERR_PTR(ret);
}

/**
 * n3t_views_value() - the value of a metric
 * @views: of these CPUs
 * @metric: the metric
 * @value: the value, if there is one
 *
 * Return: N3T_VALUE and @value set, or what is reported instead.
 */
enum n3t_verdict n3t_views_value(struct n3t_views *views, enum n3t_metric metric,
				 struct n3t_ratio *value)
{
	struct n3t_combined combined;

	if (views->scope == N3T_SCOPE_CPU)
		return n3t_view_value(&views->view[0], metric, value);
	return n3t_combine_views(&combined, metric, views->view, views->nr, value);
}

/**
 * n3t_views_quality() - the value of a metric and how good it is
 * @views: of these CPUs
 * @metric: the metric
 * @quality: the answer; its value is that of n3t_views_value()
 *
 * Context: may sleep; can take long.
 * Return: 0, or -EINTR for a fatal signal.
 */
int n3t_views_quality(struct n3t_views *views, enum n3t_metric metric,
		      struct n3t_quality *quality)
{
	if (views->scope == N3T_SCOPE_CPU)
		return n3t_quality_of_cpu(quality, metric, &views->view[0]);
	return n3t_quality_of_several(quality, metric, views->view, views->nr);
}

/**
 * n3t_views_coverage() - how many of the CPUs there are values of
 * @views: the CPUs
 * @coverage: the answer
 */
void n3t_views_coverage(const struct n3t_views *views, struct n3t_coverage *coverage)
{
	enum n3t_verdict verdict;
	unsigned int i;

	memset(coverage, 0, sizeof(*coverage));
	coverage->cpus = views->nr;
	for (i = 0; i < views->nr; i++) {
		verdict = n3t_cpu_verdict(views->view[i].state, views->view[i].window);
		if (verdict == N3T_VALUE)
			coverage->included++;
		else
			coverage->by_verdict[verdict]++;
	}
}

/**
 * n3t_view_settings() - the settings that a CPU is sampled under
 * @view: the CPU
 *
 * Return: the settings, held as long as @view is; NULL if it is not sampled.
 */
const struct n3t_settings *n3t_view_settings(const struct n3t_view *view)
{
	return view->ring ? &run_of(view)->config->settings : NULL;
}
