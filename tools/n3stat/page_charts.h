/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The report's charts: Topdown over time, and any metric over time. */
#ifndef N3STAT_PAGE_CHARTS_H
#define N3STAT_PAGE_CHARTS_H

#include "page_parts.h"

void page_topdown(struct page *page);
void page_metric(struct page *page);

#endif
