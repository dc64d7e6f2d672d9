/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A CPU's slices as a program gets them: through the records of its moments. */
#ifndef LIBN3TELEMETRY_STATS_VIEW_TAKE_H
#define LIBN3TELEMETRY_STATS_VIEW_TAKE_H

#include <stdlib.h>

#include "libn3t/formula.h"
#include "libn3t/moments.h"
#include "libn3telemetry/stats/moments.h"
#include "libn3telemetry/stats/errors.h"
#include "libn3telemetry/stats/pool.h"
#include "libn3telemetry/stats/view.h"

/* Plans of all moments taken. */
static struct moments_layout *view_layouts;

/* The records of what the module passes to n3t_moments_write(). Return: NULL if out of memory. */
static inline unsigned char *write_moments(const struct n3t_moments *from, unsigned int *nr)
{
	/* as many as there can be, and one that does not exist */
	unsigned char *data = malloc((N3T_MAX_SETS + 2) * N3T_MOMENTS_RECORD);
	struct n3t_moments_layout layout;
	struct n3t_moments all = *from;

	if (from->ring)
		n3t_moments_layout(&layout, from->plan);
	all.layout = &layout;
	*nr = 0;
	while (data && n3t_moments_write(&all, *nr, data + *nr * N3T_MOMENTS_RECORD))
		++*nr;
	return data;
}

/* Return: whether all records that are needed were read. */
static inline bool read_moments(const unsigned char *data, unsigned int nr, unsigned int cpu,
				struct moments **moments)
{
	enum moments_outcome outcome;
	unsigned int record;

	outcome = moments_begin(data, nr ? N3T_MOMENTS_RECORD : 0, cpu, NULL, &view_layouts,
				moments);
	while (outcome == MOMENTS_READ && (record = moments_next(*moments)))
		outcome = moments_add(*moments, data + (size_t)record * N3T_MOMENTS_RECORD,
				      record < nr ? N3T_MOMENTS_RECORD : 0);
	return outcome == MOMENTS_READ;
}

/* Return: the moments, or NULL. */
static inline struct moments *take_moments(const struct n3t_moments *from)
{
	struct moments *moments = NULL;
	unsigned int nr;
	unsigned char *data = write_moments(from, &nr);

	if (data && !read_moments(data, nr, from->cpu, &moments)) {
		moments_free(moments);
		moments = NULL;
	}
	free(data);
	return moments;
}

static inline void drop_moments(struct moments *moments)
{
	moments_free(moments);
	moments_layouts_free(&view_layouts);
}

/* Frees what view_take() took. */
static inline void view_drop(struct cpu_view *view)
{
	drop_moments((struct moments *)view->moments);
	free(view->errors);
	if (view->owns_pool)
		free(view->pool);
	memset(view, 0, sizeof(*view));
}

/* A sampled CPU; its window is freed by the caller, and NULL if there is no memory. */
static inline struct n3t_moments view_source(const struct n3t_plan *plan,
					     const struct n3t_ring *ring,
					     const struct n3t_covariance *covariance,
					     const struct n3t_anchor_totals *anchors,
					     u64 since_ns, u64 until_ns)
{
	struct n3t_moments from = {
		.run = 1, .state = N3T_CPU_SAMPLING, .plan = plan, .ring = ring,
		.covariance = covariance, .anchors = anchors, .since_ns = since_ns,
		.until_ns = until_ns, .slots = n3t_slots_per_cycle(),
		.window = malloc(n3t_window_bytes(plan)),
	};

	if (from.window)
		n3t_window_init(from.window, ring, since_ns);
	return from;
}

/*
 * Takes the window of a sampled CPU into @view, which is zeroed or was taken before, with errors
 * and a pool of its own.
 */
static inline bool view_take(struct cpu_view *view, const struct n3t_plan *plan,
			     const struct n3t_ring *ring,
			     const struct n3t_covariance *covariance,
			     const struct n3t_anchor_totals *anchors, u64 since_ns, u64 until_ns)
{
	struct n3t_moments from = view_source(plan, ring, covariance, anchors, since_ns, until_ns);

	view_drop(view);
	if (from.window)
		view->moments = take_moments(&from);
	free(from.window);
	if (!view->moments)
		return false;
	view->errors = malloc(n3t_errors_bytes(&view->moments->layout->size));
	view->pool = malloc(n3t_pool_bytes(&view->moments->layout->size));
	view->owns_pool = true;
	if (!view->errors || !view->pool)
		return false;
	n3t_errors_init(view->errors, &view->moments->layout->size);
	n3t_pool_init(view->pool, &view->moments->layout->size);
	view->state = view->moments->state;
	view->plan = &view->moments->layout->plan;
	view->window = view->moments->window;
	return true;
}

/* A CPU with the plan of another shares its pool. */
static inline void view_share(struct cpu_view *view, const struct cpu_view *first)
{
	if (view->owns_pool)
		free(view->pool);
	view->owns_pool = false;
	view->pool = first->pool;
	view->plan = first->plan;
}

#endif
