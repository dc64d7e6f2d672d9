/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Changes between two recordings. */
#ifndef N3REC_DIFF_H
#define N3REC_DIFF_H

#include "summary.h"

#define DIFF_MIN_WINDOWS	5	/* independent ones on either side, for a verdict */

/* Numbers of a column in the order of time, for the variance between parts of a recording. */
struct series {
	double *v;
	size_t nr;
	size_t room;
};

struct diff_side {
	struct recording recording;
	struct summary summary;
	struct series *series;		/* of the place, by column */
	size_t place;
};

enum diff_verdict {
	DIFF_NO_NUMBER,		/* in A or in B */
	DIFF_FEW_WINDOWS,	/* in A or in B */
	DIFF_UNKNOWN,		/* the error covers the whole range of the metric */
	DIFF_WITHIN,
	DIFF_MORE,
	DIFF_LESS,
};

extern const struct diff_verdict_name {
	const char *id;
	const char *text;
} diff_verdicts[];

struct diff_row {
	const struct recording_column *column;
	const struct summary_cell *a;
	const struct summary_cell *b;
	unsigned long windows_a;	/* independent ones */
	unsigned long windows_b;
	enum diff_verdict verdict;
	bool points;		/* the change is in percentage points */
	double change;
	double relative;	/* percent of A; NAN if A is 0 in all decimals */
	bool has_error;		/* known, and useful */
	double error;		/* of the change */
	double size;		/* of the change, in errors; negative without a verdict */
};

struct diff {
	struct diff_side a;
	struct diff_side b;
	struct diff_row *rows;
	size_t nr;
	unsigned long compared;	/* metrics with a verdict */
	unsigned long different;
	unsigned long few;	/* DIFF_FEW_WINDOWS */
	unsigned long excluded;	/* metrics without a value in A or B */
	unsigned long only_a;	/* metrics recorded only in A or only in B */
	unsigned long only_b;
};

/* A difference other than the workload that may explain a change of metrics. */
struct diff_fact {
	const char *key;	/* in the recording's "about" lines */
	const char *title;
};

/*
 * Reads a place, NULL for the system, of the open recording; from and to of the summary must
 * be set. Exits if the place was not recorded.
 */
void diff_read(struct diff_side *side, const char *place);
/* Compares both sides, which were read. */
void diff_make(struct diff *diff);
/* Number of metrics that would differ by chance. */
double diff_by_chance(const struct diff *diff);
void diff_free(struct diff *diff);
bool diff_is_simulated(const struct diff *diff);
/* Return: the next fact that differs between A and B, starting with *at = 0, or NULL. */
const struct diff_fact *diff_next_fact(const struct diff *diff, size_t *at);

void diff_warn(const struct diff *diff);
void diff_print(const struct diff *diff);
void diff_json(const struct diff *diff);

#endif
