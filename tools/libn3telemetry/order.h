/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Display order of places, as indexes into a choice's places. */
#ifndef LIBN3TELEMETRY_ORDER_H
#define LIBN3TELEMETRY_ORDER_H

#include "choice.h"

void order_by_place(size_t *order, const struct choice *choice);
/* Sorts by a number for each place, descending or ascending. NAN comes last; the sort is stable. */
void order_by_number(size_t *order, const struct choice *choice, const double *numbers,
		     bool ascending);

#endif
