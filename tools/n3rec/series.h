/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Numbers of one place in the order of time, for the variance between parts of a recording. */
#ifndef N3REC_SERIES_H
#define N3REC_SERIES_H

#include "recording.h"

struct series_column {
	double *v;
	size_t nr;
	size_t room;
};

struct series {
	struct series_column *columns;	/* as in the recording */
	size_t nr_columns;
};

/* Adds the current snapshot; words are left out. */
void series_add(struct series *series, const struct recording *recording, size_t place);
void series_free(struct series *series);

/*
 * 95 % error of the mean by the variance between parts of the recording, at least two.
 * Windows of a workload with phases resemble their neighbours, so the variance between
 * windows is too small for the mean of many; that between parts longer than a phase is not.
 */
double series_error(const struct series_column *column, unsigned long nr_parts);

#endif
