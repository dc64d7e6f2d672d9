// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Means and errors of a recording as a table of text. */
#include <stdio.h>

#include "lib/text.h"
#include "table.h"

static void print_head(const struct recording *recording, const struct summary *summary,
		       size_t place)
{
	if (recording_about(recording, "simulated"))
		puts("simulated counts (n3_sim)");
	printf("%s: %s, %lu %s\n\n", recording->name, recording->places.v[place].name,
	       summary->nr, plural(summary->nr, "snapshot", "snapshots"));
	printf("%-33s %12s %12s %12s %12s %9s  %s\n", "metric", "mean", "error", "min", "max",
	       "snapshots", "unit");
}

static void print_row(const struct summary *summary, const struct summary_cell *cell,
		      const struct recording_column *column)
{
	int decimals = summary_decimals(column);
	double error;

	if (!cell->numbers) {
		printf("%-33s %12s %12s %12s %12s", column->name,
		       *cell->word ? cell->word : NO_VALUE, "-", "-", "-");
	} else {
		printf("%-33s %12.*f", column->name, decimals, cell->mean);
		if (summary_error_is_useful(summary, cell, column->unit, &error))
			printf(" %12.*f", decimals, error);
		else
			printf(" %12s", NO_RANGE);
		printf(" %12.*f %12.*f", decimals, cell->min, decimals, cell->max);
	}
	printf(" %9lu  %s\n", cell->numbers, *column->unit ? column->unit : "-");
}

void table_print(const struct recording *recording, const struct summary *summary, size_t place)
{
	print_head(recording, summary, place);
	for (size_t i = 0; i < recording->nr_columns; i++)
		if (recording_is_first(recording, i))
			print_row(summary, summary_at(summary, place, i), &recording->columns[i]);
}
