/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Input of the page's scripts: the recording and its description. */
#ifndef N3REC_PAGE_DATA_H
#define N3REC_PAGE_DATA_H

#include "page_parts.h"

void page_data(struct page *page);

#endif
