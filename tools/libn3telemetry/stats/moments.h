/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A CPU's file "moments": sums over its window, from which stats/ infers. Documentation/ABI
 * describes the format.
 */
#ifndef LIBN3TELEMETRY_STATS_MOMENTS_H
#define LIBN3TELEMETRY_STATS_MOMENTS_H

#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/anchors.h"
#include "libn3t/covariance.h"
#include "libn3t/verdict.h"
#include "libn3telemetry/stats/matrix.h"

/**
 * struct n3t_anchor_means - rates of the anchors in a window
 * @per_ns: counts per nanosecond
 * @time_ns: time that they cover
 * @between: slices between the two checkpoints around the start of the window
 */
struct n3t_anchor_means {
	struct n3t_real per_ns[N3T_MAX_ANCHORS];
	u64 time_ns[N3T_MAX_ANCHORS];
	unsigned int between;
};

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
	struct n3t_matrix_size size;
	struct n3t_window *window;	/* NULL: not sampled */
	struct moments_set set[N3T_MAX_SETS];
	unsigned int records;
	unsigned char *data;
};

enum moments_outcome {
	MOMENTS_READ,
	MOMENTS_TRY_AGAIN,	/* another run has begun meanwhile */
	MOMENTS_ABSENT,
	MOMENTS_MALFORMED,
	MOMENTS_OTHER_VERSION,
	MOMENTS_NO_MEMORY,
};

/*
 * Checks the records of a CPU, which are freed with *moments. That is NULL, and they are freed at
 * once, unless MOMENTS_READ is returned.
 */
enum moments_outcome moments_parse(unsigned char *data, size_t len, unsigned int cpu,
				   struct moments **moments);
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
