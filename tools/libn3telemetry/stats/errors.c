// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Estimation error of a set's sums over a window.
 *
 * The sums over n slices of a set have n times the covariances of a slice, which are
 * averaged with decay (covariance.c). The edges of the window add to these (edges.c); anchors
 * correct the sums and reduce the error (regression.c).
 *
 * All quantities are matrices of integers and sums of products of two vectors, which the
 * metrics of one set share.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "libn3t/combine.h"
#include "libn3telemetry/stats/moments.h"
#include "libn3telemetry/stats/errors_work.h"

#define LEFT_OUT_BITS	22	/* size of the change from leaving a CPU out */

/*
 * Pairs of parts that no metric combines have no entry. Values that overflow would give an
 * interval too wide to be useful.
 */
static __always_inline void add_products(const struct n3t_errors *errors, s64 *entry,
					 unsigned int first, unsigned int end)
{
	const struct products *part = errors->work->part;
	const struct n3t_matrix *matrix = &errors->matrix;

	for (unsigned int i = 0; i < matrix->nr; i++)
		for (unsigned int k = matrix->from[i]; k <= i; k++)
			*entry++ += product(part[i].row, part[k].column, first, end);
}

/* Both matrices in one pass: this loop dominates the cost of errors. */
static void add_all(const struct n3t_errors *errors)
{
	const struct products *part = errors->work->part;
	const struct n3t_matrix *matrix = &errors->matrix;
	s64 *measured = errors->measured, *estimated = errors->estimated;
	unsigned int nr = matrix->nr;

	for (unsigned int i = 0; i < nr; i++) {
		const struct products own = part[i];	/* a copy avoids reloads for each entry */

		for (unsigned int k = matrix->from[i]; k <= i; k++) {
			const s64 *column = part[k].column;
			u64 sum = *measured + product(own.row, column, V_TIME, V_FIRST);

			*measured++ = sum + product(own.row, column, V_FIRST, V_SWEPT_FIRST);
			*estimated++ = sum + product(own.row, column, V_SWEPT_FIRST, NR_PRODUCTS);
		}
	}
}

/* Everything except the terms scaled by @share must be added once. */
static void find_estimated(struct n3t_errors *errors)
{
	struct n3t_errors_work *work = errors->work;
	double share;

	errors->estimate_freedom = max(errors->freedom, errors->nr_anchors + 1ull) -
				   errors->nr_anchors;
	share = n3t_regression_share(errors);
	errors->estimate_scale = share * errors->scale;
	share = 1 / share;
	n3t_edges_set(errors, &work->swept, fixed(share), V_SWEPT_FIRST);
	n3t_regression_set_anchor(errors, &work->anchor[0], share);
	add_all(errors);
	for (unsigned int i = 1; i < errors->nr_anchors; i++) {
		n3t_regression_set_anchor(errors, &work->anchor[i], share);
		add_products(errors, errors->estimated, V_ANCHOR, NR_PRODUCTS);
	}
}

static void find_errors(struct n3t_errors *errors, bool has_edges)
{
	struct n3t_errors_work *work = errors->work;

	work->slices = work->sum->slices + !has_edges;
	work->each = inverse_of(work->slices);
	work->per_window = inverse_of(errors->until_ns - errors->since_ns);
	errors->scale = work->slices;
	n3t_edges_find_time(errors);
	if (has_edges)
		n3t_edges_find(errors);
	else
		memset(&work->edges, 0, sizeof(work->edges));
	n3t_edges_set_time(errors);
	n3t_edges_set(errors, &work->edges, 1ll << WEIGHT_BITS, V_FIRST);
	n3t_regression_find(errors);
	if (errors->nr_anchors)
		find_estimated(errors);
	else
		add_products(errors, errors->measured, V_TIME, V_SWEPT_FIRST);
}

/* At most one slice so far: the error is that of leaving the CPU out. */
static void leave_out(struct n3t_errors *errors)
{
	const struct n3t_matrix *matrix = &errors->matrix;
	struct n3t_errors_work *work = errors->work;

	errors->scale = 1;
	errors->freedom = 1;
	memset(errors->measured, 0, matrix->nr_entries * sizeof(s64));
	for (unsigned int i = 0; i < matrix->nr; i++) {
		unsigned int part = matrix->part[i];
		u64 count = part == N3T_PART_TIME ? 0 : of_sum(work->sum, part);
		int down = max(fls64(count) - LEFT_OUT_BITS, 0);

		errors->matrix.shift[i] = down + N3T_UNIT_BITS;
		work->part[i].column[V_ANCHOR] = count >> down;
		work->part[i].row[V_ANCHOR] = work->part[i].column[V_ANCHOR] << N3T_ENTRY_BITS;
	}
	add_products(errors, errors->measured, V_ANCHOR, NR_PRODUCTS);
}

static u64 ns_outside(const struct n3t_slice *slice, u64 since_ns)
{
	u64 inside_ns = slice->end_ns - min(slice->end_ns, since_ns);

	return slice->time_ns - min(slice->time_ns, inside_ns);
}

/**
 * n3t_errors_bytes() - size of the errors of a CPU
 * @size: size that fits the matrices of all CPUs that use them
 * Return: the size in bytes.
 */
size_t n3t_errors_bytes(const struct n3t_matrix_size *size)
{
	return sizeof(struct n3t_errors) + sizeof(struct n3t_errors_work) +
	       size->parts * sizeof(struct products) + 2 * size->entries * sizeof(s64);
}

/**
 * n3t_errors_init() - initialize without a CPU
 * @errors: n3t_errors_bytes() of memory
 * @size: as for n3t_errors_bytes()
 */
void n3t_errors_init(struct n3t_errors *errors, const struct n3t_matrix_size *size)
{
	errors->view = NULL;
	errors->work = (struct n3t_errors_work *)(errors + 1);
	errors->work->part = (struct products *)(errors->work + 1);
	errors->measured = (s64 *)(errors->work->part + size->parts);
	errors->estimated = errors->measured + size->entries;
}

static void find_rates(struct n3t_errors *errors)
{
	const struct n3t_set_sum *sum = errors->work->sum;
	const struct n3t_matrix *matrix = &errors->matrix;

	for (unsigned int i = 0; i < matrix->nr; i++) {
		u64 rate = 0;

		/* Without clock advance there is no rate. */
		if (matrix->part[i] != N3T_PART_TIME && sum->time_ns)
			rate = n3t_rate(of_sum(sum, matrix->part[i]), sum->time_ns);
		errors->rate[i] = rate;
		errors->corrected[i] = rate;
		if (errors->nr_anchors)
			errors->corrected[i] = max(sum_of(rate, errors->work->correction[i]), 0ll);
	}
}

/**
 * n3t_view_errors() - estimation error of a set's sums over a window
 * @view: the CPU, with a window
 * @set: the set
 *
 * Computed once for successive requests for metrics of one set.
 *
 * Return: the result, valid until another CPU or set is requested.
 */
const struct n3t_errors *n3t_view_errors(const struct cpu_view *view, unsigned int set)
{
	struct n3t_errors *errors = view->errors;
	struct n3t_errors_work *work = errors->work;
	u64 differences;
	bool has_edges;

	if (errors->view == view && errors->set == set)
		return errors;
	if (errors->view != view)
		work->means_known = false;

	errors->view = view;
	errors->set = set;
	errors->nr_anchors = 0;
	work->sum = n3t_window_set(view->window, set);
	moments_window(view->moments, set, &errors->since_ns, &errors->until_ns);
	has_edges = moments_edges(view->moments, set, &work->first, &work->last);
	errors->outside_ns = has_edges ? ns_outside(&work->first, errors->since_ns) : 0;
	errors->per_ns = inverse_of(work->sum->time_ns);
	differences = moments_covariance(view->moments, set, &errors->matrix, errors->measured,
					 &errors->freedom);
	errors->slices = differences ? differences + 1 : 0;
	if (differences)
		find_errors(errors, has_edges);
	else
		leave_out(errors);
	find_rates(errors);
	return errors;
}

/**
 * n3t_errors_rates() - rates of a metric's events, as measured and as corrected by anchors
 * @errors: errors of the metric's set
 * @weighing: the parts that make up the metric
 * @measured: accumulates the rates in the order of the formula, N3T_RATE_UNIT per second
 * @corrected: likewise; none of these rates is below 0
 */
void n3t_errors_rates(const struct n3t_errors *errors, const struct n3t_weighing *weighing,
		      struct n3t_counts *measured, struct n3t_counts *corrected)
{
	for (unsigned int n = 0; n < weighing->nr; n++) {
		unsigned int part = weighing->part[n];
		u64 rate = errors->rate[weighing->position[n]];
		u64 by_anchors = errors->corrected[weighing->position[n]];

		if (part == N3T_PART_CYCLES) {
			measured->cycles += rate;
			corrected->cycles += by_anchors;
			continue;
		}
		for (unsigned int e = 0; e < measured->nr; e++) {
			if (!(weighing->summed[e] >> (part - N3T_PART_COUNTS) & 1))
				continue;
			measured->count[e] += rate;
			corrected->count[e] += by_anchors;
		}
	}
}
