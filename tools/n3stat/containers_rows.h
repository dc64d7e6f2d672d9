/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Rows of n3stat containers: what cgroups ran and counted in parts of the time. */
#ifndef N3STAT_CONTAINERS_ROWS_H
#define N3STAT_CONTAINERS_ROWS_H

#include "libn3telemetry/cgroups.h"
#include "libn3telemetry/containers_shares.h"

/*
 * A container or unit.
 * @path: of its directory; NULL for all that were removed
 * @usec: CPU time so far, with all directories below it
 * @below: the part of it in directories that have rows of their own
 * @last: CPU time of @id, the directory's inode, at the last reading
 */
struct containers_row {
	char *path;
	char name[CGROUP_NAME];
	bool has_time;
	unsigned long long usec, below;
	unsigned long long id, last;
	struct containers_sums parts[CONTAINERS_PARTS];
	unsigned long long pieces;
	struct containers_values values;
	double seconds;		/* CPU time, NAN if unknown */
	double lost;		/* of those, in slots not retiring; NAN if unknown */
};

/*
 * @nr_read: readings so far, of CONTAINERS_PARTS + 1
 * @first: record 0 of the first reading
 * @file, @cgroups: the last reading
 * @by_path: the rows, of tsearch()
 * @sorted: of those with pieces, most lost slots first
 */
struct containers_rows {
	const char *root;
	size_t nr_read;
	struct containers_file first;
	struct containers_file file;
	struct cgroups cgroups;
	bool cut_off;
	void *by_path;
	struct containers_row **sorted;
	size_t nr;
	size_t max;
};

/* Reads once; the first time is the base. Exits after an error. */
void containers_rows_read(struct containers_rows *rows);
/* After all readings: computes and sorts. */
void containers_rows_end(struct containers_rows *rows);
void containers_rows_free(struct containers_rows *rows);

#endif
