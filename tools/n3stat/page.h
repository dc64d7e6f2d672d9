/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The report: one page of HTML that needs nothing else. */
#ifndef N3STAT_PAGE_H
#define N3STAT_PAGE_H

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

void page_write(struct page *page);

/* Parts of it. */
void page_text(FILE *out, const char *text);	/* with & < > " made harmless */
void page_topdown(struct page *page);
void page_heat_map(struct page *page);
void page_tree(struct page *page);
void page_tables(struct page *page);

/* A time from the start, as on a clock. */
const char *page_time(double seconds);

/* Printed with as many digits as the module does: 4 for percentages, 6 for the rest. */
int page_decimals(const struct recording_column *column);

extern const char page_style[];
extern const char page_script[];

#endif
