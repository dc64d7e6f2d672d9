/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A recording in memory, as small as it gets: it is read once, and charts, trees and
 * tables of any span follow from what is kept here.
 */
#ifndef N3REC_CELLS_H
#define N3REC_CELLS_H

#include <stdint.h>

#include "libn3telemetry/path.h"
#include "summary.h"

#define CELLS_MAX_WORDS		256

/* A column of a place over time. A word is NAN with its number as the half width. */
struct cells_line {
	float *value;
	float *half;		/* of the 95 % interval, NAN if there is none */
	size_t from;		/* nothing was recorded before this snapshot */
};

struct cells {
	size_t nr;			/* snapshots in the span */
	size_t room;
	double *time;			/* since the start of the recording */
	size_t nr_places;
	size_t nr_columns;
	struct cells_line *lines;	/* place * nr_columns + column */
	size_t nr_lines;		/* that have room for values */
	char (*words)[VALUE_TEXT];	/* the first is NO_VALUE */
	size_t nr_words;
	struct path *paths;		/* that the module took */
	uint32_t *path_keys;		/* which words they came from */
	size_t nr_paths;
	uint16_t **path_at;		/* [place][snapshot]: 1 is the first, 0 none; or NULL */
};

/* Some snapshots of a line, or of several. */
struct cells_sum {
	unsigned long numbers;
	unsigned long words;
	unsigned long ranges;
	double mean;
	double squares;			/* of the distances from the mean */
	double min;
	double max;
	double halves;			/* squares of half widths */
	size_t word;			/* the last one */
};

/* Called now and then with the number of snapshots read so far. */
typedef void (*cells_progress)(unsigned long nr);

/* Reads all of the recording and sums it up; the summary's from and to must be set. */
void cells_read(struct cells *cells, struct summary *summary, struct recording *recording,
		cells_progress progress);
void cells_free(struct cells *cells);

/* Return: NULL if this column was never recorded of the place. */
const struct cells_line *cells_line(const struct cells *cells, size_t place, size_t column);
/* Adds the snapshots from one up to before another. */
void cells_add(struct cells_sum *sum, const struct cells_line *line, size_t from, size_t to);
/* From one snapshot to the next, on average; the window where there is only one. */
double cells_interval(const struct cells *cells, const struct summary *summary);

/* How many bins there are, at most max, and where in the snapshots one begins. */
size_t cells_bins(const struct cells *cells, size_t max);
size_t cells_bin(const struct cells *cells, size_t nr_bins, size_t bin);
/* When a snapshot's time begins, and for the number behind the last when it ends. */
double cells_edge(const struct cells *cells, const struct summary *summary, size_t snapshot);

#endif
