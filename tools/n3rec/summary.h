/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A recording in numbers: means of its estimates with their errors. */
#ifndef N3REC_SUMMARY_H
#define N3REC_SUMMARY_H

#include "recording.h"

/* Of one place and column over all snapshots. */
struct summary_cell {
	unsigned long numbers;
	unsigned long words;
	double mean;
	double squares;		/* of the distances from the mean */
	double min;
	double max;
	unsigned long ranges;	/* 95 % intervals that there are */
	double halves;		/* squares of their half widths */
	double widest;		/* the largest half width */
	double sum_coverage;
	unsigned long covers;
	char word[VALUE_TEXT];	/* the last */
};

struct summary {
	unsigned long nr;		/* snapshots */
	double start;
	double end;
	double window;			/* seconds that a value looks back */
	unsigned long overlap;		/* the most snapshots that lie in one window */
	double from;			/* the span chosen, in seconds from the first snapshot */
	double to;
	size_t nr_columns;
	struct summary_times *times;	/* while it is being made */
	bool begun;
	struct summary_cell *cells;	/* place * nr_columns + column */
};

/* Reads the whole recording; from and to must be set. */
void summary_make(struct summary *summary, struct recording *recording);
/* The same, snapshot by snapshot. Return: whether the current one lies in the span. */
void summary_begin(struct summary *summary, const struct recording *recording);
bool summary_add(struct summary *summary, const struct recording *recording);
void summary_end(struct summary *summary);
void summary_free(struct summary *summary);
const struct summary_cell *summary_at(const struct summary *summary, size_t place,
				      size_t column);

/* Student's t for 95 %, both sides. */
double summary_student(unsigned long freedom);
/* The 95 % error of the mean. Return: false if nothing is known about it. */
bool summary_error(const struct summary *summary, const struct summary_cell *cell,
		   double *error);
/* Return: false as well if it says nothing of a metric of this unit. */
bool summary_error_tells(const struct summary *summary, const struct summary_cell *cell,
			 const char *unit, double *error);
/* The cell as a value with its range, for the path down the tree. */
struct value summary_value(const struct summary *summary, const struct summary_cell *cell);

/* Digits behind the point of a mean: half of what the module shows of a value. */
int summary_decimals(const struct recording_column *column);

#endif
