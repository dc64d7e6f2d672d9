/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Tables: a row for each place, a column for each metric of a group. */
#ifndef N3STAT_VIEW_TABLE_H
#define N3STAT_VIEW_TABLE_H

#include "view.h"

void view_table(const struct view *view);

#endif
