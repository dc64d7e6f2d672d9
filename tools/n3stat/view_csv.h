/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* CSV view: as in RFC 4180. */
#ifndef N3STAT_VIEW_CSV_H
#define N3STAT_VIEW_CSV_H

#include "view.h"

void view_csv(const struct view *view);

#endif
