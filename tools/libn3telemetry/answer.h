/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Where the slots go: one answer for a place, by the metrics of the decision tree.
 *
 * The areas are frontend_bound, backend_bound and bad_speculation. The largest is the answer, with
 * all others that are within the margin: the larger of 2 points and the sum of both errors, where
 * an unknown error counts as 0. If retiring is above 70 %, or no area has lost anything, retiring
 * is the answer. Within an area slots are lost at ends of the tree: metrics without others below
 * them, and the rest of those with others. Ends of at least 5 % of all slots are causes. One that
 * has half of the area, and leads the next by more than the margin, is the cause; otherwise the
 * area is spread over up to three.
 */
#ifndef LIBN3TELEMETRY_ANSWER_H
#define LIBN3TELEMETRY_ANSWER_H

#include "path.h"

/* Several areas. */
#define ANSWER_MIXED	"mixed"

/* Word of metrics whose group is not chosen. */
#define ANSWER_DISABLED	"disabled"

#define ANSWER_AREAS	3
#define ANSWER_ENDS	3
#define ANSWER_LONG	80	/* sizes of the texts */
#define ANSWER_SHORT	25

/* In percent of all slots. */
#define ANSWER_RETIRING	70	/* retiring above it is the answer */
#define ANSWER_MARGIN	2
#define ANSWER_MINOR	5	/* no cause below */
#define ANSWER_REST	0.5	/* no rest below */

struct answer_end {
	int metric;
	bool rest;		/* slots of the metric that those below it do not name */
	struct path_share share;
};

/*
 * @causes: the largest first; one unless @spread
 * @rest: percent of all slots in none of @causes, or 0
 * @word: reported instead of the values below the metric, or NULL
 */
struct answer_area {
	int metric;
	struct path_share share;
	struct answer_end causes[ANSWER_ENDS];
	size_t nr_causes;
	bool spread;
	double rest;
	const char *word;
};

/*
 * @areas: the largest first; several are mixed
 * @losses: the largest ends of the whole tree, but minor ones only if all are
 * @word: reported instead of a value of Topdown_L1: there is no area then; or NULL
 */
struct answer {
	struct answer_area areas[ANSWER_AREAS];
	size_t nr;
	struct answer_end losses[ANSWER_ENDS];
	size_t nr_losses;
	const char *word;
};

/* Words of the values must stay valid as long as the answer. */
void answer_find(struct answer *answer, path_value value, const void *data);

/* Slots lost in the largest area: 0 for retiring, NAN without an area. */
double answer_loss(const struct answer *answer);
/* Whether the metric is an area, or leads to a cause or is one. */
bool answer_has(const struct answer *answer, int metric);
/* The metric to look at for an area: its cause, or itself without one; -1 beyond the last. */
int answer_metric(const struct answer *answer, size_t area);

/*
 * "backend_bound 44%: L2D 10, L1D 10, DTLB 9, rest 15", and "backend_bound 44% spread". Metrics
 * below an area have their short names; "~" marks an area whose error is unknown.
 */
void answer_long(char text[ANSWER_LONG], const struct answer *answer);
void answer_short(char text[ANSWER_SHORT], const struct answer *answer);

#endif
