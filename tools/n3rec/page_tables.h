/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Tables of the report: all metrics of the main place, and level 1 of all places. */
#ifndef N3REC_PAGE_TABLES_H
#define N3REC_PAGE_TABLES_H

#include "page_parts.h"

void page_tables(struct page *page);

#endif
