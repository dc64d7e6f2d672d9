/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Sums of a CPU for statistics in user space: the records of cpuN/moments. */
#ifndef _N3T_MOMENTS_H
#define _N3T_MOMENTS_H

#include <linux/types.h>

#include "libn3t/n3t.h"
#include "libn3t/plan.h"
#include "libn3t/slices.h"
#include "libn3t/verdict.h"

struct n3t_anchor_totals;
struct n3t_covariance;
struct n3t_window;

#define N3T_MOMENTS_MAGIC	0x4d54334e	/* "N3TM" */
#define N3T_MOMENTS_VERSION	1
#define N3T_MOMENTS_RECORD	4096		/* bytes, on every page size */

/* Bits of the flags in the first record. */
#define N3T_MOMENTS_STARVED		0x01
#define N3T_MOMENTS_SLOTS_OFF		0x02
#define N3T_MOMENTS_DERIVES_STALL_SLOT	0x04
#define N3T_MOMENTS_HAS_CUSTOM		0x08
#define N3T_MOMENTS_CUSTOM_UNSUPPORTED	0x10
#define N3T_MOMENTS_SAMPLED		0x20

/**
 * struct n3t_moments_layout - sets in the records of a CPU
 * @records: number of records
 * @first: number of the first set in each from record 1 on, and of sets
 */
struct n3t_moments_layout {
	u8 records;
	u8 first[N3T_MAX_SETS + 2];
};

/**
 * struct n3t_moments - a CPU whose moments are written
 * @cpu: its number
 * @node: its NUMA node
 * @run: number of its run, 0 without one
 * @state: its state
 * @plan: the plan in force
 * @layout: the sets in records
 * @ring: the slices; NULL if it is not sampled
 * @covariance: their variation
 * @anchors: totals of the anchors
 * @since_ns: start of the window
 * @until_ns: its end
 * @window_ms: its length
 * @slice_ms: length of a slice
 * @how: method of switching sets, an enum n3t_switch
 * @slots: slots per cycle of the core, 0 if unknown
 * @window: the window of @ring, summed up for the first record; NULL if it is not sampled
 */
struct n3t_moments {
	unsigned int cpu;
	unsigned int node;
	u64 run;
	enum n3t_cpu_state state;
	const struct n3t_plan *plan;
	const struct n3t_moments_layout *layout;
	const struct n3t_ring *ring;
	const struct n3t_covariance *covariance;
	const struct n3t_anchor_totals *anchors;
	u64 since_ns;
	u64 until_ns;
	unsigned int window_ms;
	unsigned int slice_ms;
	unsigned int how;
	unsigned int slots;
	struct n3t_window *window;
};

void n3t_moments_layout(struct n3t_moments_layout *layout, const struct n3t_plan *plan);
bool n3t_moments_write(const struct n3t_moments *moments, unsigned int record, void *buf);

#endif /* _N3T_MOMENTS_H */
