/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Computation of percentiles. */
#ifndef N3REC_PERCENTILE_H
#define N3REC_PERCENTILE_H

#include <stddef.h>

void percentile_sort(double *numbers, size_t nr);
/* Percentile of sorted numbers, linearly interpolated between ranks. */
double percentile(const double *sorted, size_t nr, unsigned int percent);

#endif
