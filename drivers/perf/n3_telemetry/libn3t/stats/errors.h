/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* How far what a set counted in a window is off what there was. */
#ifndef _N3T_ERRORS_H
#define _N3T_ERRORS_H

#include "libn3t/stats/anchors.h"
#include "libn3t/stats/matrix.h"
#include "libn3t/n3t.h"
#include "libn3t/real.h"
#include "libn3t/stats/view.h"

struct n3t_errors_work;

/**
 * struct n3t_errors - how far what a set counted in a window is off what there was
 * @view: of which CPU, or NULL before any was asked for
 * @set: the set
 * @outside_ns: how much of its time lies before the window
 * @slices: slices that the errors are learnt from; 0 if there were not two
 * @per_ns: 1 by the time counted
 * @matrix: how what follows is arranged
 * @freedom: degrees of freedom of @measured
 * @scale: what @measured is to be multiplied by
 * @measured: variances and covariances of the sums, less the mean rates times their time
 * @nr_anchors: how many anchors tell something of the set; if none, that is all
 * @estimate_freedom: degrees of freedom of @estimated
 * @estimate_scale: what @estimated is to be multiplied by
 * @estimated: variances and covariances of the sums as anchors correct them
 * @rate: of each part, N3T_RATE_UNIT to the second
 * @corrected: the same as anchors correct it, not below 0
 * @work: room to work in
 */
struct n3t_errors {
	const struct n3t_view *view;
	unsigned int set;
	u64 outside_ns;
	u64 slices;
	struct n3t_real per_ns;
	struct n3t_matrix matrix;
	u64 freedom;
	struct n3t_real scale;
	s64 *measured;
	unsigned int nr_anchors;
	u64 estimate_freedom;
	struct n3t_real estimate_scale;
	s64 *estimated;
	u64 rate[N3T_MAX_PARTS];
	u64 corrected[N3T_MAX_PARTS];
	struct n3t_errors_work *work;
};

size_t n3t_errors_bytes(const struct n3t_matrix_size *size);
void n3t_errors_init(struct n3t_errors *errors, const struct n3t_matrix_size *size);
const struct n3t_errors *n3t_view_errors(const struct n3t_view *view, unsigned int set);
void n3t_errors_rates(const struct n3t_errors *errors, const struct n3t_weighing *weighing,
		      struct n3t_counts *measured, struct n3t_counts *corrected);

#endif /* _N3T_ERRORS_H */
