/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Recordings: snapshots over time in a file of text lines.
 *
 *	n3stat-recording 1
 *	about window_ms 2000			any number of such lines
 *	places cpu0 cpu1 system
 *	columns topdown_l1.frontend_bound topdown_l1.backend_bound ...
 *	t 1763772001.125			a snapshot: when,
 *	0 21.3174:20.1:22.5:48.75:24 idle	a line for each place: value, or
 *	1 =					value:low:high:coverage:slices,
 *	end					or = for what it was before
 *
 * An estimate that is not the value stands behind it, with its own interval, as in
 * 21.3174:20.1:22.5:48.75:24:21.2106:20.9:21.5. Older versions overlook it.
 *
 * Columns of the group "bottleneck" are no metrics but words: what bottleneck_file.h
 * keeps of the module's path down the tree.
 *
 * A row may be shorter than the columns. A snapshot without its "end" was cut
 * off and does not count; all before it do.
 */
#ifndef N3STAT_RECORDING_H
#define N3STAT_RECORDING_H

#include <stdio.h>

#include "snapshot.h"

#define RECORDING_MAX_COLUMNS	1024
#define RECORDING_MAX_CELLS	2000000
#define RECORDING_MAX_ABOUT	16

struct recording_column {
	char group[VALUE_NAME];
	char name[VALUE_NAME];
	int metric;
	const char *unit;
};

/* One place's estimates in the current snapshot; what is missing is NO_VALUE. */
struct recording_row {
	struct value *v;
	size_t nr;
};

struct recording {
	FILE *file;
	const char *name;
	struct {
		char *key;
		char *value;
	} about[RECORDING_MAX_ABOUT];
	size_t nr_about;
	struct places places;
	struct recording_column *columns;
	size_t nr_columns;
	struct recording_row *rows;
	double time;
	size_t nr;			/* snapshots read so far */
	bool estimated;			/* there were estimates that are not the values */
	bool cut;			/* the last snapshot has no end */
	bool broken;			/* something in it is no recording */
	unsigned long line;
	char *text;			/* of the current line */
	size_t room;
	long data;			/* where the snapshots begin */
};

/* Ends the program when the file cannot be read or is no recording. */
void recording_open(struct recording *recording, const char *name);
void recording_open_stream(struct recording *recording, FILE *file, const char *name);
/* Return: false behind the last complete snapshot. */
bool recording_next(struct recording *recording);
void recording_rewind(struct recording *recording);
void recording_close(struct recording *recording);

const char *recording_about(const struct recording *recording, const char *key);
/* The system if it was recorded, else the first place. */
size_t recording_main_place(const struct recording *recording);
/* Return: the column, or -1. */
int recording_column(const struct recording *recording, int metric);
int recording_find(const struct recording *recording, const char *group, const char *name);
/* Return: the estimate in the current snapshot, the value if it has none, or NULL. */
const struct value *recording_value(const struct recording *recording, size_t place,
				    size_t column);
/* Whether it is a column of values, not of the module's path. */
bool recording_has_values(const struct recording *recording, size_t column);

#endif
