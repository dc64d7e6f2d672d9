/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What all parts of the report use. */
#ifndef N3STAT_PAGE_PARTS_H
#define N3STAT_PAGE_PARTS_H

#include <stdio.h>

#include "summary.h"

/* The four of Topdown_L1, from the bottom of the chart up, and their colours. */
#define NR_LEVEL_1	4

struct level_1 {
	const char *metric;
	const char *title;
	const char *colour;
};

extern const struct level_1 level_1[NR_LEVEL_1];

struct page {
	FILE *out;
	struct recording *recording;
	struct summary summary;
};

void page_text(FILE *out, const char *text);	/* with & < > " made harmless */

/* A time from the start, as on a clock. */
const char *page_time(double seconds);

#endif
