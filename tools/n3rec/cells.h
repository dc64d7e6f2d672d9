/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Compact in-memory copy of a recording, read once: charts, trees and tables of any span
 * are computed from it.
 */
#ifndef N3REC_CELLS_H
#define N3REC_CELLS_H

#include "summary.h"

#define CELLS_MAX_WORDS		256

/* Of a column at a place in a snapshot. A word is NAN with its index as the half width. */
struct cells_value {
	float value;
	float half;		/* of the 95 % interval, or NAN */
};

struct cells {
	size_t nr;			/* snapshots in the span */
	size_t room;
	double *time;			/* since the start of the recording */
	size_t nr_places;
	size_t nr_columns;
	struct cells_value **lines;	/* place * nr_columns + column; or NULL */
	size_t nr_lines;		/* allocated lines */
	char (*words)[VALUE_TEXT];	/* the first is NO_VALUE */
	size_t nr_words;
};

/* Progress callback with the number of snapshots read so far. */
typedef void (*cells_progress)(unsigned long nr);

/* Reads the whole recording and makes its summary, whose from and to must be set. */
void cells_read(struct cells *cells, struct summary *summary, struct recording *recording,
		cells_progress progress);
void cells_free(struct cells *cells);

/* Return: NULL if the place has no value in this column. */
const struct cells_value *cells_line(const struct cells *cells, size_t place, size_t column);
/* Adds a half-open range of snapshots to @sum; *word is the last word, if there is one. */
void cells_add(struct summary_cell *sum, size_t *word, const struct cells_value *line, size_t from,
	       size_t to);
/* Mean interval between snapshots; the window if there is only one. */
double cells_interval(const struct cells *cells, const struct summary *summary);

#endif
