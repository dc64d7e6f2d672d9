// SPDX-License-Identifier: GPL-2.0
/* Per-CPU sampling state for one configuration, shared with readers. */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/math.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "config.h"
#include "fallback.h"
#include "pmu.h"
#include "run.h"

static atomic64_t runs;

/* Whole pages: smaller than the next power of two, and not shared with others. */
static int alloc_memory(struct n3t_run *run, unsigned int slice_ms, int node)
{
	const struct n3t_plan *plan = run->plan;
	unsigned int slices = DIV_ROUND_UP(run->window_ms, slice_ms);
	size_t anchors_at = n3t_ring_bytes(plan, slices);
	size_t covariance_at = anchors_at + n3t_anchors_bytes(plan, slices);
	size_t replicates_at = covariance_at + n3t_covariance_bytes(plan);
	size_t replicates_bytes = run->config->settings.replicates ? n3t_replicates_bytes(plan) : 0;
	size_t judged_at = replicates_at + replicates_bytes;

	run->memory = vzalloc_node(judged_at + 2 * n3t_window_bytes(plan), node);
	if (!run->memory)
		return -ENOMEM;

	n3t_ring_init(&run->ring, run->memory, plan, slices);
	n3t_anchors_init(&run->anchors, run->memory + anchors_at, plan, slices);
	n3t_covariance_init(&run->covariance, run->memory + covariance_at, plan, slices);
	n3t_moments_layout(&run->layout, plan);
	if (replicates_bytes) {
		run->replicates = run->memory + replicates_at;
		n3t_replicates_init(run->replicates, plan, get_random_u32());
	}
	run->judged = run->memory + judged_at;
	n3t_window_init(run->judged, &run->ring, 0);
	run->judging = run->memory + judged_at + n3t_window_bytes(plan);
	return 0;
}

static int open_fallback(struct n3t_run *run, const struct n3t_pmu *pmu, unsigned int cpu)
{
	struct n3t_fallback *fallback;

	fallback = n3t_fallback_open(pmu, cpu, run->plan);
	if (IS_ERR(fallback))
		return PTR_ERR(fallback);
	run->fallback = fallback;
	return 0;
}

/**
 * n3t_run_alloc() - allocate the sampling state of a CPU
 * @config: the configuration
 * @pmu: the CPU's PMU
 * @cpu: the CPU, online
 * @budget: programmable counters that it has
 * @in_place: it holds counters that are switched in place; otherwise the run gets
 *	   its own perf events
 * @slice_ms: length of slices, if they need not be longer
 *
 * Context: may sleep.
 * Return: the run for n3t_run_end(), or an error pointer.
 */
struct n3t_run *n3t_run_alloc(struct n3t_config *config, const struct n3t_pmu *pmu,
			      unsigned int cpu, unsigned int budget, bool in_place,
			      unsigned int slice_ms)
{
	const struct n3t_plan *plan = n3t_config_make_plan(config, budget);
	int node = cpu_to_node(cpu);
	struct n3t_run *run;
	int ret;

	if (IS_ERR(plan))
		return ERR_CAST(plan);

	run = kzalloc_node(sizeof(*run), GFP_KERNEL, node);
	if (!run)
		return ERR_PTR(-ENOMEM);

	run->number = atomic64_inc_return(&runs);
	run->config = config;
	run->plan = plan;
	run->window_ms = n3t_config_window(config, plan, slice_ms);
	ret = alloc_memory(run, slice_ms, node);
	if (ret)
		goto out_free_run;

	ret = in_place ? 0 : open_fallback(run, pmu, cpu);
	if (ret)
		goto out_free_memory;

	kref_init(&run->ref);
	kref_get(&config->ref);
	n3t_rotation_init(&run->rotation, plan, get_random_u32());
	run->current_set = N3T_NO_SET;
	return run;

out_free_memory:
	vfree(run->memory);
out_free_run:
	kfree(run);
	return ERR_PTR(ret);
}

/* A reference to the current run of a CPU, for n3t_run_put(), or NULL; needs no lock. */
struct n3t_run *n3t_run_get(struct n3t_run __rcu **run)
{
	struct n3t_run *held;

	/* A run that is losing its last reference has been replaced. */
	rcu_read_lock();
	do {
		held = rcu_dereference(*run);
	} while (held && !kref_get_unless_zero(&held->ref));
	rcu_read_unlock();
	return held;
}

static void release(struct kref *ref)
{
	struct n3t_run *run = container_of(ref, struct n3t_run, ref);

	vfree(run->memory);
	n3t_config_put(run->config);
	kfree_rcu(run, rcu);
}

/* Drops a reference to a run, or NULL; may sleep. */
void n3t_run_put(struct n3t_run *run)
{
	if (run)
		kref_put(&run->ref, release);
}

/**
 * n3t_run_end() - stop using a run for sampling
 * @run: run from n3t_run_alloc(), with its sampler stopped, or NULL
 *
 * Releases its perf events. Readers that hold the run can still read its slices.
 *
 * Context: may sleep.
 */
void n3t_run_end(struct n3t_run *run)
{
	if (!run)
		return;

	n3t_fallback_close(run->fallback);
	n3t_run_put(run);
}
