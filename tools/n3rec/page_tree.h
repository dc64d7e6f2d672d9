/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The report's tree, of the main place and the whole span; the script does others. */
#ifndef N3REC_PAGE_TREE_H
#define N3REC_PAGE_TREE_H

#include "page_parts.h"

void page_tree(struct page *page);

#endif
