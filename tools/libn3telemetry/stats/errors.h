/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Estimation error of a set's sums over a window. */
#ifndef LIBN3TELEMETRY_STATS_ERRORS_H
#define LIBN3TELEMETRY_STATS_ERRORS_H

#include "libn3t/n3t.h"
#include "libn3telemetry/stats/real.h"
#include "libn3telemetry/stats/moments.h"
#include "libn3telemetry/stats/matrix.h"
#include "libn3telemetry/stats/view.h"

struct n3t_errors_work;

/**
 * struct n3t_errors - estimation error of a set's sums over a window
 * @view: the CPU, or NULL before the first request
 * @set: the set
 * @since_ns: start of the window
 * @until_ns: its end
 * @outside_ns: part of its counted time that lies before the window
 * @slices: number of slices that the errors are estimated from; 0 if fewer than two
 * @per_ns: reciprocal of the time counted
 * @matrix: layout of the matrices below
 * @freedom: degrees of freedom of @measured
 * @scale: factor to apply to @measured
 * @measured: covariances of the sums, less the mean rates times their time
 * @nr_anchors: number of anchors that correlate with the set; the fields below are unused if 0
 * @estimate_freedom: degrees of freedom of @estimated
 * @estimate_scale: factor to apply to @estimated
 * @estimated: covariances of the sums after correction by anchors
 * @rate: rate of each part, N3T_RATE_UNIT per second
 * @corrected: the same after correction by anchors, not below 0
 * @work: scratch memory
 */
struct n3t_errors {
	const struct cpu_view *view;
	unsigned int set;
	u64 since_ns;
	u64 until_ns;
	u64 outside_ns;
	u64 slices;
	double per_ns;
	struct n3t_matrix matrix;
	u64 freedom;
	double scale;
	s64 *measured;
	unsigned int nr_anchors;
	u64 estimate_freedom;
	double estimate_scale;
	s64 *estimated;
	u64 rate[N3T_MAX_PARTS];
	u64 corrected[N3T_MAX_PARTS];
	struct n3t_errors_work *work;
};

size_t n3t_errors_bytes(const struct n3t_matrix_size *size);
void n3t_errors_init(struct n3t_errors *errors, const struct n3t_matrix_size *size);
const struct n3t_errors *n3t_view_errors(const struct cpu_view *view, unsigned int set);
void n3t_errors_rates(const struct n3t_errors *errors, const struct n3t_weighing *weighing,
		      struct n3t_counts *measured, struct n3t_counts *corrected);

#endif /* LIBN3TELEMETRY_STATS_ERRORS_H */
