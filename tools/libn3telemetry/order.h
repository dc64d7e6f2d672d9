/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The order in which places are shown: indexes of a choice's places. */
#ifndef LIBN3TELEMETRY_ORDER_H
#define LIBN3TELEMETRY_ORDER_H

#include "snapshot.h"

void order_by_place(size_t *order, const struct choice *choice);
/*
 * The largest first or, ascending, the smallest; value or estimate. Words go last, and
 * equal ones as the places are.
 */
void order_by_column(size_t *order, const struct choice *choice, const struct snapshot *snapshot,
		     size_t column, snapshot_get get, bool ascending);

#endif
