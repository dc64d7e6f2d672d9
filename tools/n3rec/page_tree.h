/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Tree of the report for the main place and the whole span; the script handles others. */
#ifndef N3REC_PAGE_TREE_H
#define N3REC_PAGE_TREE_H

#include "page_parts.h"

void page_tree(struct page *page);

#endif
