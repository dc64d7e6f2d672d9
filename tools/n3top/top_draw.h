/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat top: the list and the help. */
#ifndef N3TOP_TOP_DRAW_H
#define N3TOP_TOP_DRAW_H

#include "top_state.h"

void top_draw(struct top *top);

#endif
