/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What changed from one recording to another. */
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
	DIFF_UNKNOWN,		/* how large the error is */
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
	bool points;		/* a percentage: the change is in percentage points */
	double change;
	double relative;	/* percent of A; NAN if A is 0 */
	bool has_error;
	bool says_nothing;	/* the error is as large as all that the metric can be */
	double error;		/* of the change */
};

struct diff {
	struct diff_side a;
	struct diff_side b;
	struct diff_row *rows;
	size_t nr;
	unsigned long excluded;	/* metrics without a value in A and in B */
	unsigned long only_a;	/* metrics that were recorded in one of both */
	unsigned long only_b;
};

/* A kind of difference for which a change of metrics may not be one of the workload. */
struct diff_fact {
	const char *key;	/* of what is recorded about it */
	const char *title;
};

/* Of a place, NULL for the system. Ends the program if one has no such place. */
void diff_make(struct diff *diff, const struct recording *a, const struct summary *sa,
	       const struct recording *b, const struct summary *sb, const char *place);
void diff_free(struct diff *diff);
bool diff_is_simulated(const struct diff *diff);
/* Return: the next fact that A and B do not share, from *at = 0 on, or NULL. */
const struct diff_fact *diff_next_fact(const struct diff *diff, size_t *at);

void diff_warn(const struct diff *diff);
void diff_print(const struct diff *diff);
void diff_json(const struct diff *diff);

#endif
