/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A CPU's file "moments": sums over its window, from which stats/ infers. Documentation/ABI
 * describes the format.
 */
#ifndef LIBN3TELEMETRY_MOMENTS_H
#define LIBN3TELEMETRY_MOMENTS_H

#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/stats/anchors.h"
#include "libn3t/stats/covariance.h"
#include "libn3t/verdict.h"

struct source;

/* One set: where it is in the file, and the window of its record. */
struct moments_set {
	const unsigned char *at;
	u64 since_ns;
	u64 until_ns;
};

struct moments {
	unsigned int cpu;
	unsigned int node;
	u64 run;
	u64 slices;
	enum n3t_cpu_state state;
	unsigned int window_ms;
	unsigned int slice_ms;
	unsigned int how;		/* sets are switched: see the ABI */
	unsigned int slots;		/* per cycle, 0: unknown */
	unsigned int between;		/* slices between two checkpoints of the anchors */
	struct n3t_anchor_sums anchors;
	struct n3t_plan plan;
	struct n3t_covariance shape;	/* layout of the products of each set */
	struct n3t_window *window;	/* NULL: not sampled */
	struct moments_set set[N3T_MAX_SETS];
	unsigned char *data;
};

/*
 * Reads and checks the file; *moments is NULL if it does not exist, and freed by moments_free().
 * Return: false after an error of the source.
 */
bool moments_read(struct source *source, unsigned int cpu, struct moments **moments);
void moments_free(struct moments *moments);

/* The window that a set was summed up for. */
void moments_window(const struct moments *moments, unsigned int set, u64 *since_ns,
		    u64 *until_ns);
/* Return: false if the first kept slice of the set in the window is not known. */
bool moments_edges(const struct moments *moments, unsigned int set, struct n3t_slice *first,
		   struct n3t_slice *last);
/*
 * Covariances of the parts of a slice, in the units of @matrix, and their degrees of freedom.
 * Return: number of differences of successive slices that they are from; 0: no result.
 */
u64 moments_covariance(const struct moments *moments, unsigned int set,
		       struct n3t_matrix *matrix, s64 *entry, u64 *freedom);
/* Rates of the anchors in the window. */
void moments_anchors(const struct moments *moments, struct n3t_anchor_means *means);

#endif
