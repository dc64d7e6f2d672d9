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

/**
 * n3t_scope_has() - check whether a CPU belongs to a scope
 * @scope: the kind of scope
 * @id: number of the CPU or node
 * @cpu: number of the CPU
 *
 * Return: true if it does.
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

/* The run that a view holds, which contains its ring. */
static struct n3t_run *run_of(const struct n3t_view *view)
{
	return view->ring ? container_of(view->ring, struct n3t_run, ring) : NULL;
}

static void begin_window(struct n3t_view *view)
{
	n3t_window_init(view->window, view->ring, view->since_ns);
	view->window->starved = view->starved;
	view->window->slots_off = view->slots_off;
}

/* One allocation for all CPUs is much cheaper than one per CPU. */
static int alloc_windows(struct n3t_views *views)
{
	size_t bytes = 0;
	unsigned int i;

	for (i = 0; i < views->nr; i++)
		if (views->view[i].ring)
			bytes += n3t_window_bytes(views->view[i].plan);
	views->windows = kvmalloc(bytes, GFP_KERNEL_ACCOUNT);
	if (!views->windows)
		return -ENOMEM;

	bytes = 0;
	for (i = 0; i < views->nr; i++) {
		struct n3t_view *view = &views->view[i];

		if (!view->ring)
			continue;
		view->window = views->windows + bytes;
		bytes += n3t_window_bytes(view->plan);
		begin_window(view);
	}
	return 0;
}

/* A CPU that is not sampled uses the plan for the nominal budget. */
static void view_get(struct n3t_view *view, const struct n3t_config *config, unsigned int nr)
{
	const struct n3t_cpu *cpu = n3t_cpus_get(nr);
	struct n3t_run *run = n3t_cpu_run(n3t_cpus_get(nr), &view->state);
	u64 window_ns;

	if (!run) {
		view->plan = n3t_config_plan(config, config->nominal);
		return;
	}

	window_ns = (u64)READ_ONCE(run->window_ms) * NSEC_PER_MSEC;
	view->until_ns = ktime_get_mono_fast_ns();
	view->since_ns = view->until_ns > window_ns ? view->until_ns - window_ns : 0;
	view->starved = n3t_sampler_is_starved(cpu);
	view->slots_off = n3t_withdraw_slots_off(cpu, run->config->settings.enables);
	view->plan = run->plan;
	view->ring = &run->ring;
	view->covariance = &run->covariance;
	view->anchors = &run->anchors;
}

/**
 * n3t_views_put() - release the CPUs of a scope
 * @views: views from n3t_views_get()
 *
 * Context: may sleep.
 */
void n3t_views_put(struct n3t_views *views)
{
	unsigned int i;

	for (i = 0; i < views->nr; i++)
		n3t_run_put(run_of(&views->view[i]));
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

/**
 * n3t_views_value() - get the value of a metric
 * @views: the CPUs
 * @metric: the metric
 * @value: the value, if one exists
 *
 * Return: N3T_VALUE with @value set, or the verdict reported instead.
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
 * n3t_views_coverage() - count the CPUs that contribute values
 * @views: the CPUs
 * @coverage: result
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

static void describe(const struct n3t_view *view, struct n3t_moments *moments)
{
	const struct n3t_run *run = run_of(view);

	moments->state = view->state;
	moments->plan = view->plan;
	moments->slots = n3t_slots_per_cycle();
	if (!run)
		return;
	moments->run = run->number;
	moments->ring = view->ring;
	moments->covariance = view->covariance;
	moments->anchors = view->anchors;
	moments->since_ns = view->since_ns;
	moments->until_ns = view->until_ns;
	moments->window_ms = READ_ONCE(run->window_ms);
	moments->slice_ms = run->config->settings.slice_ms;
	moments->how = run->fallback ? N3T_SWITCH_PERF : N3T_SWITCH_IN_PLACE;
	moments->window = view->window;
}

/**
 * n3t_moments_read() - write a record of a CPU's moments
 * @cpu: number of the CPU
 * @record: number of the record
 * @buf: as for n3t_moments_write()
 *
 * Context: may sleep; needs no lock.
 * Return: 1; 0 after the last record; -ENOMEM.
 */
int n3t_moments_read(unsigned int cpu, unsigned int record, void *buf)
{
	struct n3t_moments moments = { .cpu = cpu, .node = cpu_to_node(cpu) };
	struct n3t_config *config = n3t_config_get();
	struct n3t_view view = {};
	int ret = 1;

	view_get(&view, config, cpu);
	/* The others have no verdicts. */
	if (!record && view.ring) {
		view.window = kmalloc(n3t_window_bytes(view.plan), GFP_KERNEL_ACCOUNT);
		if (view.window)
			begin_window(&view);
		else
			ret = -ENOMEM;
	}
	if (ret > 0) {
		describe(&view, &moments);
		ret = n3t_moments_write(&moments, record, buf);
	}
	kfree(view.window);
	n3t_run_put(run_of(&view));
	n3t_config_put(config);
	return ret;
}

/**
 * n3t_view_settings() - get the settings that a CPU is sampled with
 * @view: the CPU
 *
 * Return: the settings, valid as long as @view; NULL if it is not sampled.
 */
const struct n3t_settings *n3t_view_settings(const struct n3t_view *view)
{
	return view->ring ? &run_of(view)->config->settings : NULL;
}
