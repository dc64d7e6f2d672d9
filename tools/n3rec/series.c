// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Numbers of one place in the order of time. */
#include <math.h>
#include <stdlib.h>

#include "lib/memory.h"
#include "series.h"
#include "summary.h"

static void append(struct series_column *column, double number)
{
	column->v = xgrow(column->v, column->nr, &column->room, sizeof(*column->v));
	column->v[column->nr++] = number;
}

void series_add(struct series *series, const struct recording *recording, size_t place)
{
	if (!series->columns) {
		series->nr_columns = recording->nr_columns;
		series->columns = xcalloc(series->nr_columns, sizeof(*series->columns));
	}
	for (size_t i = 0; i < series->nr_columns; i++) {
		const struct value *value = recording_value(recording, place, i);

		if (value && value->is_number)
			append(&series->columns[i], value->number);
	}
}

void series_free(struct series *series)
{
	for (size_t i = 0; i < series->nr_columns; i++)
		free(series->columns[i].v);
	free(series->columns);
}

static double mean_of(const struct series_column *column, size_t from, size_t to)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += column->v[i];
	return sum / (double)(to - from);
}

double series_error(const struct series_column *column, unsigned long nr_parts)
{
	double mean = mean_of(column, 0, column->nr), squares = 0;

	for (size_t i = 0; i < nr_parts; i++) {
		double part = mean_of(column, i * column->nr / nr_parts,
				      (i + 1) * column->nr / nr_parts);

		squares += (part - mean) * (part - mean);
	}
	return summary_student(nr_parts - 1) *
	       sqrt(squares / (double)(nr_parts * (nr_parts - 1)));
}
