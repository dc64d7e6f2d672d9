/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The report's map of CPUs and time. */
#ifndef N3STAT_PAGE_HEAT_H
#define N3STAT_PAGE_HEAT_H

#include "page_parts.h"

#define HEAT_ROWS	128	/* more CPUs share a row */
#define HEAT_SHADES	10

void page_heat_map(struct page *page);

/* The class of a word in page.css. */
const char *heat_word_class(const char *word);
/* What the last shade stands for in a column. */
double heat_top(const struct page *page, size_t column);

#endif
