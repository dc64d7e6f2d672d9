// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Computation of percentiles. */
#include <stdlib.h>

#include "percentile.h"

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void percentile_sort(double *numbers, size_t nr)
{
	if (nr)
		qsort(numbers, nr, sizeof(*numbers), compare);
}

double percentile(const double *sorted, size_t nr, unsigned int percent)
{
	/* In integers, as rounding could change a rank. */
	size_t rank = (nr - 1) * percent / 100, rest = (nr - 1) * percent % 100;

	if (!rest)
		return sorted[rank];
	return sorted[rank] + (sorted[rank + 1] - sorted[rank]) * (double)rest / 100;
}
