/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the page's scripts read: the recording itself, and what is to be known of it. */
#ifndef N3REC_PAGE_DATA_H
#define N3REC_PAGE_DATA_H

#include "page_parts.h"

void page_data(struct page *page);

#endif
