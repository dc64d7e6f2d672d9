/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* JSON view: schema of n3stat(1). */
#ifndef N3STAT_VIEW_JSON_H
#define N3STAT_VIEW_JSON_H

#include "view.h"

void view_json(const struct view *view);

#endif
