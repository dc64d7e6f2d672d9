/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Largest losses of slots in the decision tree, and the path to the largest. */
#ifndef LIBN3TELEMETRY_STATS_BOTTLENECK_H
#define LIBN3TELEMETRY_STATS_BOTTLENECK_H

#include "libn3t/n3t.h"

#define N3T_BOTTLENECK_DEPTH	8		/* the tree has 4 levels */
#define N3T_BOTTLENECK_LOSSES	3
#define N3T_ERROR_UNKNOWN	S64_MAX		/* e.g. of a single slice */
#define N3T_PERCENT		10000		/* all metrics of the tree have 4 decimals */
#define N3T_MINOR_SHARE		(5 * N3T_PERCENT)	/* of all slots: no bottleneck below */
/*
 * Retiring slots do work, so they are the answer only if they leave little to gain
 * elsewhere. toplev and Intel's metric files use the same threshold.
 */
#define N3T_RETIRING_SHARE	(70 * N3T_PERCENT)

/**
 * struct n3t_estimate - a metric, or a share of all slots, with its error
 * @verdict: N3T_VALUE, or the reason that it has none
 * @value: in units of the last decimal shown
 * @error: half the width of the 95 % interval in the same units, or N3T_ERROR_UNKNOWN
 */
struct n3t_estimate {
	enum n3t_verdict verdict;
	s64 value;
	s64 error;
};

/**
 * struct n3t_loss - slots lost at an end of the tree
 * @metric: deepest metric that names these slots
 * @share: its share of all slots, less the shares of the metrics below it
 */
struct n3t_loss {
	u8 metric;
	struct n3t_estimate share;
};

/**
 * enum n3t_bottleneck_end - outcome
 * @N3T_END_FOUND: one loss leads, or retiring exceeds N3T_RETIRING_SHARE
 * @N3T_END_MIXED: the two largest losses differ by no more than the sum of their errors
 * @N3T_END_NO_VALUE: a metric of Topdown_L1 has no value
 */
enum n3t_bottleneck_end {
	N3T_END_FOUND,
	N3T_END_MIXED,
	N3T_END_NO_VALUE,
};

/**
 * struct n3t_bottleneck - losses, and the path to the largest
 * @candidates: metrics whose estimates the next step reads
 * @open: metrics that have these as children
 * @share: share of all slots of each metric reached; others have no value
 * @nr_losses: number of losses
 * @loss: the largest losses, in descending order
 * @nr_path: number of metrics on the path
 * @path: the metrics from Topdown_L1 to the largest loss, or retiring
 * @end: outcome
 * @verdict: for N3T_END_NO_VALUE the text reported in place of the value; otherwise that
 *	of the metrics below the path, N3T_VALUE if all have values
 * @next: metric groups to look at next
 */
struct n3t_bottleneck {
	DECLARE_BITMAP(candidates, N3T_NR_METRICS);
	DECLARE_BITMAP(open, N3T_NR_METRICS);
	struct n3t_estimate share[N3T_NR_METRICS];
	unsigned int nr_losses;
	struct n3t_loss loss[N3T_BOTTLENECK_LOSSES];
	unsigned int nr_path;
	u8 path[N3T_BOTTLENECK_DEPTH];
	enum n3t_bottleneck_end end;
	enum n3t_verdict verdict;
	DECLARE_BITMAP(next, N3T_NR_GROUPS);
};

/**
 * struct n3t_bottleneck_cpus - number of CPUs by the end of their paths
 * @nr: by the last metric of the path; then, for CPUs without a path, by verdict
 */
struct n3t_bottleneck_cpus {
	unsigned int nr[N3T_NR_METRICS + N3T_VALUE];
};

struct n3t_estimate n3t_bottleneck_share(const struct n3t_estimate *parent,
					 const struct n3t_estimate *value);
void n3t_bottleneck_begin(struct n3t_bottleneck *bottleneck);
bool n3t_bottleneck_step(struct n3t_bottleneck *bottleneck, const struct n3t_estimate *estimates);
void n3t_bottleneck_count(struct n3t_bottleneck_cpus *cpus,
			  const struct n3t_bottleneck *bottleneck);
size_t n3t_bottleneck_print(char *buf, size_t size, const struct n3t_bottleneck *bottleneck,
			    const struct n3t_estimate *estimates,
			    const struct n3t_bottleneck_cpus *cpus);

#endif /* LIBN3TELEMETRY_STATS_BOTTLENECK_H */
