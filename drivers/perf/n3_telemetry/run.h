/* SPDX-License-Identifier: GPL-2.0 */
/* What sampling a CPU under one configuration needs, and readers read. */
#ifndef _N3T_RUN_H
#define _N3T_RUN_H

#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/kref.h>
#include <linux/rcupdate.h>
#include <linux/stddef.h>

#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/stats/anchors.h"
#include "libn3t/stats/covariance.h"

struct n3t_config;
struct n3t_fallback;
struct n3t_pmu;

/**
 * struct n3t_run - what sampling a CPU under one configuration needs
 * @ref: one for the CPU, one for each reader
 * @rcu: frees it
 * @config: the configuration, held
 * @plan: the plan for the CPU's budget; belongs to @config
 * @window_ms: what values are formed over; @ring holds as much. The sampler makes it
 *	longer with slices that are longer than they were set, of which there are fewer
 * @ring: the recent slices
 * @covariance: how slices vary
 * @anchors: what anchors counted, in all sets
 * @memory: of these three
 * @rotation: where the CPU is in the plan
 * @current_set: the set that is counted now, N3T_NO_SET before the first slice
 * @fallback: perf events of all sets if they are not changed in place, or NULL
 *
 * @window_ms, the contents of @ring, @covariance and @anchors, @rotation and @current_set are
 * the sampler's while it is on; @fallback is released when it is off for good. Nothing else
 * changes but references: what readers write is in a cache line of its own. They use only
 * @config, @plan, @window_ms, @ring, @covariance and @anchors.
 */
struct n3t_run {
	struct kref ref;
	struct rcu_head rcu;
	struct n3t_config *config ____cacheline_aligned;
	const struct n3t_plan *plan;
	unsigned int window_ms;
	void *memory;
	struct n3t_ring ring;
	struct n3t_covariance covariance ____cacheline_aligned;
	struct n3t_anchor_totals anchors;
	struct n3t_rotation rotation;
	int current_set;
	struct n3t_fallback *fallback;
};

/*
 * What readers write, what changes with the length of slices if at all, and what the sampler
 * writes.
 */
static_assert(offsetofend(struct n3t_run, rcu) <= offsetof(struct n3t_run, config));
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

#endif /* _N3T_RUN_H */
