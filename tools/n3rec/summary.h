/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Means and errors of the estimates in a recording. */
#ifndef N3REC_SUMMARY_H
#define N3REC_SUMMARY_H

#include "recording.h"

/* Sums of one place and column over snapshots. */
struct summary_cell {
	unsigned long numbers;
	unsigned long words;
	double mean;
	double squares;		/* sum of squared deviations from the mean */
	double min;
	double max;
	unsigned long ranges;	/* values with a 95 % interval */
	double halves;		/* sum of their squared half widths */
	double widest;		/* maximum half width */
	double sum_coverage;
	unsigned long covers;
	char word[VALUE_TEXT];	/* the last */
};

struct summary {
	unsigned long nr;		/* snapshots */
	double start;
	double end;
	double window;			/* seconds covered by a value */
	bool disjoint;			/* windows end where the next ones begin */
	unsigned long overlap;		/* maximum number of snapshots in one window */
	double from;			/* selected span, in seconds from the first snapshot */
	double to;
	size_t nr_columns;
	double *times;			/* of snapshots, for the number of them in one window */
	unsigned long first;		/* of the current window */
	bool begun;
	struct summary_cell *cells;	/* place * nr_columns + column */
};

/* From and to must be set. */
void summary_begin(struct summary *summary, const struct recording *recording);
/* Return: whether the current snapshot lies in the span. */
bool summary_add(struct summary *summary, const struct recording *recording);
/* Adds a number and the half width of its interval, NAN if that is unknown. */
void summary_add_number(struct summary_cell *cell, double number, double half);
void summary_free(struct summary *summary);
const struct summary_cell *summary_at(const struct summary *summary, size_t place,
				      size_t column);

/* Student's t for 95 %, two-sided. */
double summary_student(unsigned long freedom);
/* Number of values that share no window. */
unsigned long summary_windows(const struct summary *summary, const struct summary_cell *cell);
/* 95 % error of the mean. Return: false if it is unknown. */
bool summary_error(const struct summary *summary, const struct summary_cell *cell,
		   double *error);
/* Return: false also if it is too large to be useful for this unit. */
bool summary_error_is_useful(const struct summary *summary, const struct summary_cell *cell,
			     const char *unit, double *error);

/* Most decimals of a mean: half as many as the module prints. */
int summary_decimals(const struct recording_column *column);

/* Numbers of a cell with the decimals that their errors allow. */
struct summary_text {
	struct number_text mean;
	struct number_text min;		/* with the error of single snapshots */
	struct number_text max;
};

/* The cell must have numbers. */
void summary_format(struct summary_text *text, const struct summary *summary,
		    const struct summary_cell *cell, const struct recording_column *column);

#endif
