/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Errors of values over several CPUs. */
#ifndef LIBN3TELEMETRY_STATS_POOL_H
#define LIBN3TELEMETRY_STATS_POOL_H

#include "libn3t/n3t.h"
#include "libn3t/plan.h"
#include "libn3telemetry/stats/real.h"
#include "libn3telemetry/stats/errors.h"

struct cpu_view;

/**
 * struct n3t_pool_sum - sum of the matrices of several CPUs
 * @entry: the entries
 * @scale: factor still to apply to the entries
 * @squares: for each part the sum over CPUs of its variance^2 / degrees of freedom
 * @dropped: bits dropped from the variance before squaring
 */
struct n3t_pool_sum {
	s64 *entry;
	double scale;
	u64 squares[N3T_MAX_PARTS];
	u8 dropped[N3T_MAX_PARTS];
};

/**
 * struct n3t_pool - errors of the rates of several CPUs with one plan
 * @set: the set, or N3T_NO_SET
 * @filling: not complete
 * @errors: errors of the sums as for one CPU, but of rates, N3T_RATE_UNIT per second
 * @measured: partial sum for @errors.measured
 * @estimated: likewise
 * @cpus: number of CPUs
 * @window_ns: sum of their windows
 * @counted_ns: part of that in which the set was counted
 * @slices: number of slices in that time
 */
struct n3t_pool {
	int set;
	bool filling;
	struct n3t_errors errors;
	struct n3t_pool_sum measured;
	struct n3t_pool_sum estimated;
	unsigned int cpus;
	u64 window_ns;
	u64 counted_ns;
	u64 slices;
};

size_t n3t_pool_bytes(const struct n3t_matrix_size *size);
void n3t_pool_init(struct n3t_pool *pool, const struct n3t_matrix_size *size);
void n3t_pools_fill(const struct cpu_view *views, unsigned int nr, enum n3t_metric metric);

/* The set of CPUs changes: the pool must be filled again. */
static inline void n3t_pool_forget(struct n3t_pool *pool)
{
	pool->set = N3T_NO_SET;
	pool->filling = false;
}

#endif /* LIBN3TELEMETRY_STATS_POOL_H */
