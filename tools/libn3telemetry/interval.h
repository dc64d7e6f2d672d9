/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Values over the time between two snapshots: exact quotients of the growth of the module's
 * totals, where a value of the module covers its window alone.
 *
 * A value remains that of the window if its totals are absent or withdrawn, if the module was
 * loaded again, or if next to nothing was counted in the interval.
 *
 * The error of a value is unknown, but for Topdown_L1 if the module has replicates.
 */
#ifndef LIBN3TELEMETRY_INTERVAL_H
#define LIBN3TELEMETRY_INTERVAL_H

#include "snapshot.h"

/*
 * Half width of a 95 % interval in standard deviations of the 8 replicates: 2.365, the quantile of
 * Student's distribution with 7 degrees of freedom, over the root of 7. The standard deviation
 * divides by the number of replicates. tools/dev/gen-rules.py reads this file.
 */
#define REPLICATES_FACTOR	0.894
#define REPLICATE_SLICES	4	/* fewest of each replicate, for an interval */

struct cell_totals;
struct place_totals;

/* All totals of one time. */
struct interval_end {
	double time;		/* of monotonic_now(); 0: not read yet */
	struct place_totals *places;	/* of choice */
	struct cell_totals *cells;	/* likewise: [place * nr_columns + column] */
};

struct interval {
	struct interval_end before;
	struct interval_end after;
	double seconds;		/* between both; 0 until both have been read */
	double shortest;	/* seconds; less has too few slices: values remain the window's */
};

/*
 * Reads a snapshot, which ends an interval and begins the next one. The values and estimates of
 * the snapshot, and the path that follows from them, are those of the interval. Return: false after
 * an error of the source, as snapshot_read(); the interval is empty then.
 */
bool interval_read(struct source *source, struct interval *interval, struct snapshot *snapshot,
		   struct choice *choice);
void interval_free(struct interval *interval);

#endif
