/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Table view: a row per place, a column per metric of a group. */
#ifndef N3STAT_VIEW_TABLE_H
#define N3STAT_VIEW_TABLE_H

#include "view.h"

void view_table(const struct view *view);

#endif
