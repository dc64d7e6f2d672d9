/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* One line per place and interval, as vmstat does: how busy, Topdown, IPC, the bottleneck. */
#ifndef N3STAT_VIEW_BRIEF_H
#define N3STAT_VIEW_BRIEF_H

#include "view.h"

void view_brief(const struct view *view);

#endif
