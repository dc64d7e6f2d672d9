// SPDX-License-Identifier: GPL-2.0
/* Current values of metrics for a CPU, a node or the whole system. */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/topology.h>

#include "config.h"
#include "cpu.h"
#include "libn3t/formula.h"
#include "libn3t/moments.h"
#include "libn3t/combine.h"
#include "sampler.h"
#include "values.h"
#include "withdraw.h"

/* Does a CPU belong to a scope? */
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

/* The start of a window that ends now. */
static u64 find_start(const struct n3t_run *run, u64 *until_ns)
{
	u64 window_ns = (u64)READ_ONCE(run->window_ms) * NSEC_PER_MSEC;

	*until_ns = ktime_get_mono_fast_ns();
	return *until_ns > window_ns ? *until_ns - window_ns : 0;
}

static void init_window(struct n3t_view *view, u64 since_ns)
{
	n3t_window_init(view->window, &view->run->ring, since_ns);
	view->window->starved = n3t_sampler_is_starved(view->cpu);
	view->window->slots_off = n3t_withdraw_slots_off(view->cpu,
							 view->run->config->settings.enables);
}

/* One allocation for all CPUs is much cheaper than one per CPU. */
static int alloc_windows(struct n3t_views *views)
{
	size_t bytes = 0;
	unsigned int i;
	u64 until_ns;

	for (i = 0; i < views->nr; i++)
		if (views->view[i].run)
			bytes += n3t_window_bytes(views->view[i].plan);
	views->windows = kvmalloc(bytes, GFP_KERNEL_ACCOUNT);
	if (!views->windows)
		return -ENOMEM;

	bytes = 0;
	for (i = 0; i < views->nr; i++) {
		struct n3t_view *view = &views->view[i];

		if (!view->run)
			continue;
		view->window = views->windows + bytes;
		bytes += n3t_window_bytes(view->plan);
		init_window(view, find_start(view->run, &until_ns));
	}
	return 0;
}

/* A CPU that is not sampled uses the plan for the nominal budget. */
static void view_get(struct n3t_view *view, const struct n3t_config *config, unsigned int nr)
{
	view->cpu = n3t_cpus_get(nr);
	view->run = n3t_cpu_run(n3t_cpus_get(nr), &view->state);
	view->plan = view->run ? view->run->plan : n3t_config_plan(config, config->nominal);
}

/* Releases the CPUs of a scope; may sleep. */
void n3t_views_put(struct n3t_views *views)
{
	unsigned int i;

	for (i = 0; i < views->nr; i++)
		n3t_run_put(views->view[i].run);
	kvfree(views->windows);
	n3t_config_put(views->config);
	kvfree(views);
}

/**
 * n3t_views_get() - get the CPUs of a scope, each with its current window
 * @scope: the kind of scope
 * @id: number of the CPU or node
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

	views = kvzalloc(struct_size(views, view, most), GFP_KERNEL_ACCOUNT);
	if (!views)
		return ERR_PTR(-ENOMEM);

	views->scope = scope;
	views->config = n3t_config_get();
	for_each_possible_cpu(cpu) {
		if (!n3t_scope_has(scope, id, cpu))
			continue;
		cond_resched();
		if (fatal_signal_pending(current)) {
			ret = -EINTR;
			break;
		}
		view_get(&views->view[views->nr++], views->config, cpu);
	}
	ret = ret ?: alloc_windows(views);
	if (!ret)
		return views;

	n3t_views_put(views);
	return ERR_PTR(ret);
}

static enum n3t_verdict combine(const struct n3t_views *views, enum n3t_metric metric,
				struct n3t_ratio *value)
{
	struct n3t_combined combined;
	enum n3t_verdict verdict;
	struct n3t_counts counts;
	u64 time_ns = 0;
	unsigned int i;

	n3t_combine_begin(&combined, metric);
	for (i = 0; i < views->nr; i++) {
		const struct n3t_view *view = &views->view[i];

		verdict = n3t_metric_counts(metric, view->state, view->plan, view->window, &counts);
		if (verdict >= N3T_UNDEF)
			time_ns = n3t_window_set(view->window,
						 view->plan->set_of[metric])->time_ns;
		n3t_combine_add(&combined, verdict, &counts, time_ns);
	}
	return n3t_combine_end(&combined, value);
}

/* The value of a metric, or the verdict reported instead. */
enum n3t_verdict n3t_views_value(struct n3t_views *views, enum n3t_metric metric,
				 struct n3t_ratio *value)
{
	const struct n3t_view *view = &views->view[0];

	if (views->scope == N3T_SCOPE_CPU)
		return n3t_metric_value(metric, view->state, view->plan, view->window, value);
	return combine(views, metric, value);
}

/* Counts the CPUs that contribute values. */
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

static void describe(const struct n3t_view *view, struct n3t_moments *moments)
{
	const struct n3t_run *run = view->run;

	moments->state = view->state;
	moments->plan = view->plan;
	moments->slots = n3t_slots_per_cycle();
	if (!run)
		return;
	moments->run = run->number;
	moments->layout = &run->layout;
	moments->ring = &run->ring;
	moments->covariance = &run->covariance;
	moments->anchors = &run->anchors;
	moments->since_ns = find_start(run, &moments->until_ns);
	moments->window_ms = READ_ONCE(run->window_ms);
	moments->slice_ms = run->config->settings.slice_ms;
	moments->how = run->fallback ? N3T_SWITCH_PERF : N3T_SWITCH_IN_PLACE;
}

/* Writes a record as n3t_moments_write(); may sleep. Return: 1; 0 after the last; -ENOMEM. */
int n3t_moments_read(unsigned int cpu, unsigned int record, void *buf)
{
	struct n3t_moments moments = { .cpu = cpu, .node = cpu_to_node(cpu) };
	struct n3t_config *config = n3t_config_get();
	struct n3t_view view = {};
	int ret = -ENOMEM;

	view_get(&view, config, cpu);
	describe(&view, &moments);
	/* The first record alone has inputs of verdicts. */
	if (!record && view.run) {
		view.window = kmalloc(n3t_window_bytes(view.plan), GFP_KERNEL_ACCOUNT);
		if (!view.window)
			goto out;
		init_window(&view, moments.since_ns);
		moments.window = view.window;
	}
	ret = n3t_moments_write(&moments, record, buf);
	kfree(view.window);
out:
	n3t_run_put(view.run);
	n3t_config_put(config);
	return ret;
}

/* The settings that a CPU is sampled with, valid as long as @view; NULL if it is not sampled. */
const struct n3t_settings *n3t_view_settings(const struct n3t_view *view)
{
	return view->run ? &view->run->config->settings : NULL;
}
