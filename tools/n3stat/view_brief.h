/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Brief view: per place and interval a line with utilisation, Topdown, IPC, bottleneck. */
#ifndef N3STAT_VIEW_BRIEF_H
#define N3STAT_VIEW_BRIEF_H

#include "view.h"

void view_brief(const struct view *view);

#endif
