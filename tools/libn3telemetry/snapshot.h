/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Snapshot of all selected values: for each place and column a value, and its estimate over
 * the whole window. Without errors (choice.quality) both are the same.
 */
#ifndef LIBN3TELEMETRY_SNAPSHOT_H
#define LIBN3TELEMETRY_SNAPSHOT_H

#include "choice.h"
#include "source.h"
#include "values.h"

struct snapshot {
	double time;		/* seconds since 1970 */
	struct value *v;	/* of choice: [place * nr_columns + column] */
	struct value *estimates;	/* likewise */
};

/*
 * Each returns false after an error of the source. The first two release the snapshot then, as
 * its size may not be that of the choice any more.
 */
bool snapshot_read(struct source *source, struct snapshot *snapshot, struct choice *choice);
/* Reads only the first files of all places, as errors are expensive to read. */
bool snapshot_read_brief(struct source *source, struct snapshot *snapshot, struct choice *choice,
			 size_t nr_files);
/* Reads the whole of one place in a snapshot that was read before. */
bool snapshot_read_place(struct source *source, struct snapshot *snapshot,
			 const struct choice *choice, size_t place);
/* Sets the selected columns of choose_rates(), which snapshot_read() leaves at NO_VALUE. */
void snapshot_set_rates(struct snapshot *snapshot, const struct choice *choice, size_t place,
			double busy, const struct rates *rates);
void snapshot_free(struct snapshot *snapshot);

const struct value *snapshot_at(const struct snapshot *snapshot, const struct choice *choice,
				size_t place, size_t column);
const struct value *snapshot_estimate_at(const struct snapshot *snapshot,
					 const struct choice *choice, size_t place,
					 size_t column);
/* Getter of the value or the estimate. */
typedef const struct value *(*snapshot_get)(const struct snapshot *snapshot,
					    const struct choice *choice, size_t place,
					    size_t column);
/* Return: the value or the estimate, or NULL if the column does not exist. */
const struct value *snapshot_metric(const struct snapshot *snapshot,
				    const struct choice *choice, size_t place, int metric);
const struct value *snapshot_estimate(const struct snapshot *snapshot,
				      const struct choice *choice, size_t place, int metric);

#endif
