// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Errors of values over several CPUs.
 *
 * CPUs are strata, each with its own slices: their rates add up, and so do the covariances of the
 * rates. So CPUs with the same plan are pooled, and metrics of one set share the result.
 *
 * The degrees of freedom of a sum of variances are Satterthwaite's (Biometrics Bulletin 2, 1946):
 *
 *	(sum of variances)^2 / sum of (variance^2 / freedom)
 *
 * Exact ones would need the variance of the metric on each CPU. The mean of those of the
 * parts serves as a substitute.
 */
#include <float.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/combine.h"
#include "libn3telemetry/stats/pool.h"
#include "libn3telemetry/stats/view.h"

#define HEADROOM	6	/* bits for a sum over CPUs */
#define UNIT_ROOM	2	/* bits by which a CPU's units may exceed those of the first */
#define MAX_DOWN	31	/* bits by which a unit may be smaller: no entry is left */
#define LARGE_BITS	61	/* entries are divided before they exceed 62 */
#define SHRINK_BITS	4
#define SQUARE_BITS	31	/* size of operands before squaring */

/* One of the two matrices of a CPU. */
struct member {
	const s64 *entry;
	double scale;
	u64 freedom;
};

/* Drop fewer bits of variances before squaring, as the variances get narrower. */
static void drop_less(struct n3t_pool_sum *sum, unsigned int part, unsigned int by)
{
	unsigned int less = min_t(unsigned int, by, sum->dropped[part]);

	sum->dropped[part] -= less;
	sum->squares[part] >>= min(2 * (by - less), 63u);
}

static void shrink(struct n3t_pool_sum *sum, const struct n3t_matrix *matrix, unsigned int by)
{
	for (unsigned int i = 0; i < matrix->nr_entries; i++)
		sum->entry[i] >>= min(by, 63u);
	for (unsigned int i = 0; i < matrix->nr; i++)
		drop_less(sum, i, by);
	sum->scale = ldexp(sum->scale, by);
}

static void grow(struct n3t_pool_sum *sum, const struct n3t_matrix *matrix, unsigned int part,
		 unsigned int by)
{
	for (unsigned int k = 0; k < matrix->nr; k++) {
		int at = n3t_matrix_at(matrix, part, k);

		if (at != N3T_NO_ENTRY)
			sum->entry[at] >>= min(k == part ? 2 * by : by, 63u);
	}
	drop_less(sum, part, 2 * by);
}

/* Make the units of the pool at least those of the CPU; @down is the difference in bits. */
static void match_units(struct n3t_pool *pool, const struct n3t_matrix *of_cpu, u8 *down)
{
	struct n3t_matrix *matrix = &pool->errors.matrix;

	for (unsigned int i = 0; i < matrix->nr; i++) {
		int by = matrix->shift[i] - of_cpu->shift[i];

		if (unlikely(by < 0)) {
			grow(&pool->measured, matrix, i, -by);
			grow(&pool->estimated, matrix, i, -by);
			matrix->shift[i] -= by;
			by = 0;
		}
		down[i] = min(by, MAX_DOWN);
	}
}

/* Factor for the entries of a CPU, with 64 bits of fraction: below 1/32. */
static s64 find_factor(struct n3t_pool_sum *sum, const struct n3t_matrix *matrix,
		       double scale)
{
	int down;

	if (!scale)
		return 0;
	down = ilogb(sum->scale) - ilogb(scale);
	if (down < HEADROOM)
		shrink(sum, matrix, HEADROOM - down);
	return ldexp(scale / sum->scale, 64);
}

static void add_square(struct n3t_pool_sum *sum, unsigned int part, s64 variance, s64 total,
		       u64 freedom)
{
	int beyond = fls64(max(total, 0ll) >> sum->dropped[part]) - SQUARE_BITS;
	u64 rough;

	if (unlikely(beyond > 0)) {
		sum->dropped[part] += beyond;
		sum->squares[part] >>= 2 * beyond;
	}
	rough = max(variance, 0ll) >> sum->dropped[part];
	sum->squares[part] += div64_u64(rough * rough, freedom);
}

static void add_matrix(struct n3t_pool_sum *sum, const struct n3t_matrix *matrix,
		       const struct member *member, const u8 *down)
{
	s64 factor = find_factor(sum, matrix, member->scale), variance = 0;
	const s64 *from = member->entry;
	s64 *to = sum->entry;
	u64 high = 0;

	for (unsigned int i = 0; i < matrix->nr; i++) {
		for (unsigned int k = matrix->from[i]; k <= i; k++) {
			s64 entry = (__int128)(*from++) * factor >> 64;

			variance = entry >> (down[i] + down[k]);
			*to++ += variance;
		}
		add_square(sum, i, variance, to[-1], member->freedom);
		high |= max(to[-1], 0ll);
	}
	if (high >> LARGE_BITS)
		shrink(sum, matrix, SHRINK_BITS);
}

static void begin(struct n3t_pool *pool, unsigned int set)
{
	pool->set = set;
	pool->filling = true;
	pool->cpus = 0;
	pool->window_ns = 0;
	pool->counted_ns = 0;
	pool->slices = 0;
}

static void begin_sum(struct n3t_pool_sum *sum, const struct n3t_matrix *matrix,
		      double scale)
{
	sum->scale = scale ? ldexp(1, ilogb(scale) + HEADROOM) : DBL_MIN;
	memset(sum->entry, 0, matrix->nr_entries * sizeof(sum->entry[0]));
	memset(sum->squares, 0, matrix->nr * sizeof(sum->squares[0]));
	memset(sum->dropped, 0, matrix->nr * sizeof(sum->dropped[0]));
}

/* Take everything except entries and rates from the first CPU. */
static void begin_with(struct n3t_pool *pool, const struct n3t_errors *first,
		       double scale)
{
	struct n3t_errors *errors = &pool->errors;

	errors->set = pool->set;
	errors->matrix = first->matrix;
	errors->slices = 0;
	errors->nr_anchors = 0;
	begin_sum(&pool->measured, &errors->matrix, scale);
	begin_sum(&pool->estimated, &errors->matrix, scale);
	for (unsigned int i = 0; i < errors->matrix.nr; i++) {
		errors->matrix.shift[i] += UNIT_ROOM;
		errors->rate[i] = 0;
		errors->corrected[i] = 0;
	}
}

static void add(struct n3t_pool *pool, const struct cpu_view *view)
{
	const struct n3t_errors *errors = n3t_view_errors(view, pool->set);
	const struct n3t_set_sum *sum = n3t_window_set(view->window, pool->set);
	struct n3t_errors *total = &pool->errors;
	double unit;
	struct member member;
	u8 down[N3T_MAX_PARTS];

	unit = square(errors->per_ns * N3T_RATE_UNIT * NSEC_PER_SEC);
	member.entry = errors->measured;
	member.scale = unit * errors->scale;
	member.freedom = errors->freedom;
	if (!pool->cpus++)
		begin_with(pool, errors, member.scale);
	pool->window_ns += errors->until_ns - errors->since_ns;
	pool->counted_ns += sum->time_ns - errors->outside_ns;
	pool->slices += sum->slices;
	total->slices += errors->slices ?: 1;
	total->nr_anchors = max(total->nr_anchors, errors->nr_anchors);
	for (unsigned int i = 0; i < total->matrix.nr; i++) {
		total->rate[i] += errors->rate[i];
		total->corrected[i] += errors->corrected[i];
	}

	match_units(pool, &errors->matrix, down);
	add_matrix(&pool->measured, &total->matrix, &member, down);
	if (!view->plan->nr_anchors)
		return;
	if (errors->nr_anchors) {
		member.entry = errors->estimated;
		member.scale = unit * errors->estimate_scale;
		member.freedom = errors->estimate_freedom;
	}
	add_matrix(&pool->estimated, &total->matrix, &member, down);
}

/* Harmonic mean over the parts, to nearest, but at least 1. */
static u64 freedom_of(const struct n3t_pool_sum *sum, const struct n3t_matrix *matrix)
{
	double inverses = 0;
	unsigned int parts = 0;

	for (unsigned int i = 0; i < matrix->nr; i++) {
		s64 variance = sum->entry[n3t_matrix_at(matrix, i, i)];
		double total = max(variance, 0ll) >> sum->dropped[i];

		/* With time eliminated, its own row holds only rounding errors. */
		if (matrix->part[i] == N3T_PART_TIME || !total ||
		    !sum->squares[i])
			continue;
		inverses += sum->squares[i] / (total * total);
		parts++;
	}
	if (!parts)
		return 1;
	return max(rounded(parts / inverses), 1ull);
}

static void end(struct n3t_pool *pool)
{
	struct n3t_errors *errors = &pool->errors;

	errors->measured = pool->measured.entry;
	errors->scale = pool->measured.scale;
	errors->freedom = freedom_of(&pool->measured, &errors->matrix);
	errors->estimated = pool->estimated.entry;
	errors->estimate_scale = pool->estimated.scale;
	errors->estimate_freedom = freedom_of(&pool->estimated, &errors->matrix);
	pool->filling = false;
}

/**
 * n3t_pools_fill() - compute errors over several CPUs, in a pool for each plan
 * @views: the CPUs; those with a value are @included
 * @nr: number of CPUs
 * @metric: the metric: its set in each plan
 *
 * Pools remain valid for further metrics of the same sets if the same CPUs are included.
 */
void n3t_pools_fill(const struct cpu_view *views, unsigned int nr, enum n3t_metric metric)
{
	for (unsigned int i = 0; i < nr; i++) {
		const struct cpu_view *view = &views[i];

		if (view->included && view->pool->set != view->plan->set_of[metric])
			begin(view->pool, view->plan->set_of[metric]);
	}
	for (unsigned int i = 0; i < nr; i++)
		if (views[i].included && views[i].pool->filling)
			add(views[i].pool, &views[i]);
	for (unsigned int i = 0; i < nr; i++)
		if (views[i].included && views[i].pool->filling)
			end(views[i].pool);
}

/**
 * n3t_pool_bytes() - size of a pool
 * @size: matrix size of one of the CPUs
 * Return: the size in bytes.
 */
size_t n3t_pool_bytes(const struct n3t_matrix_size *size)
{
	return sizeof(struct n3t_pool) + 2 * size->entries * sizeof(s64);
}

/**
 * n3t_pool_init() - initialize a pool without CPUs
 * @pool: n3t_pool_bytes() of memory
 * @size: matrix size of one of the CPUs
 */
void n3t_pool_init(struct n3t_pool *pool, const struct n3t_matrix_size *size)
{
	pool->measured.entry = (s64 *)(pool + 1);
	pool->estimated.entry = pool->measured.entry + size->entries;
	n3t_pool_forget(pool);
}
