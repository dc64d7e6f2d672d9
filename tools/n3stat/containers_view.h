/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Output of n3stat containers. */
#ifndef N3STAT_CONTAINERS_VIEW_H
#define N3STAT_CONTAINERS_VIEW_H

#include "containers_rows.h"

/* Exits if no CPU is sampled. */
void containers_check(void);
void containers_table(const struct containers_rows *rows, double seconds);
/* By the schema that n3stat-containers(1) describes. */
void containers_json(const struct containers_rows *rows, double seconds);

#endif
