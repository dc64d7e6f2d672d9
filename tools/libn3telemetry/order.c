// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Display order of places, as indexes into a choice's places. */
#include <math.h>
#include <stdlib.h>

#include "order.h"

struct numbered {
	const double *numbers;
	bool ascending;
};

static int compare(const void *a, const void *b, void *by)
{
	const struct numbered *n = by;
	size_t pa = *(const size_t *)a, pb = *(const size_t *)b;
	double na = n->numbers[pa], nb = n->numbers[pb];

	if (isnan(na) != isnan(nb))
		return isnan(nb) ? -1 : 1;
	if (na < nb || na > nb)
		return (na < nb) != n->ascending ? 1 : -1;
	return pa < pb ? -1 : 1;
}

void order_by_place(size_t *order, const struct choice *choice)
{
	for (size_t i = 0; i < choice->places.nr; i++)
		order[i] = i;
}

void order_by_number(size_t *order, const struct choice *choice, const double *numbers,
		     bool ascending)
{
	struct numbered numbered = { numbers, ascending };

	order_by_place(order, choice);
	qsort_r(order, choice->places.nr, sizeof(*order), compare, &numbered);
}
