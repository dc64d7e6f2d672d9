/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The report's tree of a span, and the data that its script reads. */
#ifndef N3STAT_PAGE_TREE_H
#define N3STAT_PAGE_TREE_H

#include "page_parts.h"

void page_tree(struct page *page);

#endif
