// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Sums over snapshots of a line, for charts and tables. */
#include <math.h>
#include <string.h>

#include "cells.h"

static void add_number(struct cells_sum *sum, double number, double half)
{
	double distance = number - sum->mean;

	/* Welford's algorithm avoids cancellation. */
	sum->numbers++;
	sum->mean += distance / (double)sum->numbers;
	sum->squares += distance * (number - sum->mean);
	sum->min = sum->numbers == 1 ? number : fmin(sum->min, number);
	sum->max = sum->numbers == 1 ? number : fmax(sum->max, number);
	if (isnan(half))
		return;
	sum->halves += half * half;
	sum->ranges++;
}

void cells_add(struct cells_sum *sum, const struct cells_line *line, size_t from, size_t to)
{
	for (size_t i = from; line && i < to; i++) {
		if (i >= line->from && !isnan(line->value[i])) {
			add_number(sum, (double)line->value[i], (double)line->half[i]);
			continue;
		}
		sum->words++;
		sum->word = i < line->from ? 0 : (size_t)line->half[i];
	}
}
