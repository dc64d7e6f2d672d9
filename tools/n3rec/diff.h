/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Changes between two recordings. */
#ifndef N3REC_DIFF_H
#define N3REC_DIFF_H

#include "summary.h"

struct diff_side {
	const struct recording *recording;
	const struct summary *summary;
	size_t place;
};

enum diff_verdict {
	DIFF_NO_NUMBER,		/* in A or in B */
	DIFF_UNKNOWN,		/* the error is unknown */
	DIFF_WITHIN,
	DIFF_MORE,
	DIFF_LESS,
};

extern const char * const diff_verdicts[];

struct diff_row {
	const struct recording_column *column;
	const struct summary_cell *a;
	const struct summary_cell *b;
	enum diff_verdict verdict;
	bool points;		/* the change is in percentage points */
	double change;
	double relative;	/* percent of A; NAN if A is 0 */
	bool has_error;
	bool says_nothing;	/* the error covers the whole range of the metric */
	double error;		/* of the change */
};

struct diff {
	struct diff_side a;
	struct diff_side b;
	struct diff_row *rows;
	size_t nr;
	unsigned long excluded;	/* metrics without a value in A or B */
	unsigned long only_a;	/* metrics recorded only in A or only in B */
	unsigned long only_b;
};

/* A difference other than the workload that may explain a change of metrics. */
struct diff_fact {
	const char *key;	/* in the recording's "about" lines */
	const char *title;
};

/* Compares a place, NULL for the system. Exits if a recording lacks it. */
void diff_make(struct diff *diff, const struct recording *a, const struct summary *sa,
	       const struct recording *b, const struct summary *sb, const char *place);
void diff_free(struct diff *diff);
bool diff_is_simulated(const struct diff *diff);
/* Return: the next fact that differs between A and B, starting with *at = 0, or NULL. */
const struct diff_fact *diff_next_fact(const struct diff *diff, size_t *at);

void diff_warn(const struct diff *diff);
void diff_print(const struct diff *diff);
void diff_json(const struct diff *diff);

#endif
