/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The report: one page of HTML that needs nothing else. */
#ifndef N3REC_PAGE_H
#define N3REC_PAGE_H

#include "page_parts.h"

void page_write(struct page *page);

#endif
