/* SPDX-License-Identifier: GPL-2.0 */
/* Per-CPU sampling state for one configuration, shared with readers. */
#ifndef _N3T_RUN_H
#define _N3T_RUN_H

#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/kref.h>
#include <linux/rcupdate.h>
#include <linux/stddef.h>

#include "libn3t/plan.h"
#include "libn3t/replicates.h"
#include "libn3t/slices.h"
#include "libn3t/anchors.h"
#include "libn3t/covariance.h"
#include "libn3t/moments.h"

struct n3t_config;
struct n3t_fallback;
struct n3t_pmu;

/**
 * struct n3t_run - sampling state of a CPU for one configuration
 * @ref: one for the CPU, one for each reader
 * @rcu: for kfree_rcu()
 * @number: of the runs since the module was loaded, from 1
 * @config: the configuration, held
 * @plan: the plan for the CPU's budget; belongs to @config
 * @judged: sums of the slices that have been judged; protected by n3t_cpu.withdrawn.lock
 * @judging: the window that is being judged; likewise
 * @judge_ns: when the slices since then can be judged, 0 for a new run; also read by the
 *	sampler
 * @window_ms: period that values cover; @ring holds that much. The sampler extends
 *	it when it lengthens slices, of which fewer are kept then
 * @ring: the recent slices
 * @covariance: variation of slices
 * @anchors: counts of anchors, in all sets
 * @replicates: replicates of Topdown_L1, or NULL
 * @memory: memory of these four
 * @layout: sets in the records of moments
 * @rotation: position of the CPU in the plan
 * @current_set: the set that is counted now, N3T_NO_SET before the first slice
 * @fallback: perf events of all sets if they are not switched in place, or NULL
 *
 * The running sampler owns @window_ms, the contents of @ring, @covariance, @anchors and
 * @replicates, @rotation and @current_set; @fallback is released after it has stopped.
 * Apart from references, @judged, @judging and @judge_ns nothing else changes. Readers use
 * only these, @number, @config, @plan, @layout, @window_ms, @ring, @covariance, @anchors
 * and @replicates. The parts that readers and the sampler write have cache lines of their own.
 */
struct n3t_run {
	struct kref ref;
	struct rcu_head rcu;
	u64 number;
	struct n3t_config *config ____cacheline_aligned;
	const struct n3t_plan *plan;
	struct n3t_window *judged;
	struct n3t_window *judging;
	u64 judge_ns;
	unsigned int window_ms;
	void *memory;
	struct n3t_ring ring;
	struct n3t_covariance covariance ____cacheline_aligned;
	struct n3t_anchor_totals anchors;
	struct n3t_replicates *replicates;
	struct n3t_rotation rotation;
	int current_set;
	struct n3t_fallback *fallback;
	struct n3t_moments_layout layout;
};

/*
 * Separate cache lines for data written by readers, data that changes at most
 * with the length of slices, and data written by the sampler.
 */
static_assert(offsetofend(struct n3t_run, number) <= offsetof(struct n3t_run, config));
static_assert(offsetof(struct n3t_run, config) % SMP_CACHE_BYTES == 0);
static_assert(offsetofend(struct n3t_run, ring) <= offsetof(struct n3t_run, covariance));
static_assert(offsetof(struct n3t_run, covariance) % SMP_CACHE_BYTES == 0);
static_assert(sizeof(struct n3t_run) % SMP_CACHE_BYTES == 0);

struct n3t_run *n3t_run_alloc(struct n3t_config *config, const struct n3t_pmu *pmu,
			      unsigned int cpu, unsigned int budget, bool in_place,
			      unsigned int slice_ms);
struct n3t_run *n3t_run_get(struct n3t_run __rcu **run);
void n3t_run_put(struct n3t_run *run);
void n3t_run_end(struct n3t_run *run);

/* Once a window. */
static inline bool n3t_run_is_due(const struct n3t_run *run, u64 now_ns)
{
	return now_ns >= READ_ONCE(run->judge_ns);
}

#endif /* _N3T_RUN_H */
