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
 * @time_ns: time that was counted
 * @between: slices between the two checkpoints around the start of the window
 */
struct n3t_anchor_means {
	double per_ns[N3T_MAX_ANCHORS];
	u64 time_ns[N3T_MAX_ANCHORS];
	unsigned int between;
};

/*
 * The plan, and how it lays out the sets: shared by all CPUs whose first record has the same, as
 * to work it out takes longer than all else that is done with a file.
 * @users: number of struct moments
 * @flags: those of the plan
 * @bytes: the plan as in the file
 * @nr_records: number of records whose sets are known, with the first
 * @first: first set of each of these, and of the next
 * @at: offset of a set in its record
 */
struct moments_layout {
	struct moments_layout *next;
	unsigned int users;
	unsigned int flags;
	struct n3t_plan plan;
	struct n3t_matrix_size size;
	unsigned int nr_records;
	u16 first[N3T_MAX_SETS + 2];
	u16 at[N3T_MAX_SETS];
	unsigned char bytes[];
};

/*
 * One set and the window of its record.
 * @at: its bytes, or NULL if it is not needed
 * @is_read: these are there
 */
struct moments_set {
	unsigned char *at;
	bool is_read;
	u64 since_ns;
	u64 until_ns;
};

struct moments {
	unsigned int cpu;
	unsigned int node;
	u64 run;
	u64 slices;
	enum n3t_cpu_state state;
	unsigned int slots;		/* per cycle, 0: unknown */
	unsigned int between;		/* slices between two checkpoints of the anchors */
	u64 until_ns;
	u64 newest_ns;			/* end of the newest slice */
	struct n3t_anchor_sums anchors;
	struct n3t_anchor_sums newest;	/* of that slice alone */
	unsigned int records;
	struct moments_layout *layout;
	struct n3t_window *window;	/* NULL: not sampled */
	struct moments_set *set;
	unsigned char *data;		/* the bytes of the sets */
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
 * Begins with the first record of a CPU. @len: 0 without a file. *layouts is a list that the caller
 * keeps for others, and frees with moments_layouts_free(). Sets without one of these @metrics are
 * not needed; NULL: all are. *moments is NULL unless MOMENTS_READ is returned.
 */
enum moments_outcome moments_begin(const unsigned char *record, size_t len, unsigned int cpu,
				   const unsigned long *metrics, struct moments_layout **layouts,
				   struct moments **moments);
/* Return: the next record that is needed, or 0 if there is none. */
unsigned int moments_next(const struct moments *moments);
/* Adds the record that moments_next() returned. */
enum moments_outcome moments_add(struct moments *moments, const unsigned char *record, size_t len);
void moments_free(struct moments *moments);
/* Frees the unused ones. */
void moments_layouts_free(struct moments_layout **layouts);

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
