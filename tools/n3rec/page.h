/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* HTML report: a single self-contained page. */
#ifndef N3REC_PAGE_H
#define N3REC_PAGE_H

#include "page_parts.h"

void page_write(struct page *page);

#endif
