/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat top: the decision tree of a place. */
#ifndef N3TOP_TOP_TREE_H
#define N3TOP_TOP_TREE_H

#include "top_state.h"

void top_draw_tree(struct top *top);

#endif
