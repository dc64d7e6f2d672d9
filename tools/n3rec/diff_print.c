// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Table of changes between two recordings. */
#include <math.h>
#include <string.h>

#include "diff.h"
#include "lib/util.h"

static void print_mean(const struct summary_cell *cell, int decimals)
{
	if (cell->numbers)
		printf(" %12.*f", decimals, cell->mean);
	else
		printf(" %12s", *cell->word ? cell->word : NO_VALUE);
}

/* From 10 % to 12 % is a rise by 2 percentage points and by 20 percent. */
static void print_change(const struct diff_row *row, int decimals)
{
	const char *unit = row->points ? "pp" : "";

	printf(" %+12.*f %-2s", decimals, row->change, unit);
	if (row->says_nothing)
		printf(" %10s   ", "none");
	else if (!row->has_error)
		printf(" %10s   ", NO_RANGE);
	else
		printf(" %10.*f %-2s", decimals, row->error, unit);
	if (isnan(row->relative))
		printf(" %9s  ", "-");
	else
		printf(" %+9.1f %%", row->relative);
}

static void print_row(const struct diff_row *row)
{
	int decimals = summary_decimals(row->column);

	printf("%-33s", row->column->name);
	print_mean(row->a, decimals);
	print_mean(row->b, decimals);
	if (row->verdict == DIFF_NO_NUMBER)
		printf(" %12s    %10s    %9s  ", "-", "-", "-");
	else
		print_change(row, decimals);
	printf("  %-22s %s\n", *row->column->unit ? row->column->unit : "-",
	       diff_verdicts[row->verdict]);
}

static void print_head(const char *which, const struct diff_side *side)
{
	const struct recording *recording = side->recording;

	printf("%s: %s, %s, %lu %s\n", which, recording->name,
	       recording->places.v[side->place].name, side->summary->nr,
	       plural(side->summary->nr, "snapshot", "snapshots"));
}

/* A warning if only one of them is simulated. */
static void print_simulated_of(const struct diff *diff)
{
	bool of_a = recording_about(diff->a.recording, "simulated");
	bool of_b = recording_about(diff->b.recording, "simulated");

	if (of_a || of_b)
		printf("%ssimulated counts (n3_sim)\n", of_a && of_b ? "" : of_a ? "A: " : "B: ");
}

void diff_print(const struct diff *diff)
{
	print_simulated_of(diff);
	print_head("A", &diff->a);
	print_head("B", &diff->b);
	printf("\n%-33s %12s %12s %12s    %10s    %11s  %-22s %s\n", "metric", "A", "B", "change",
	       "error", "change of A", "unit of A and B", "verdict");
	for (size_t i = 0; i < diff->nr; i++)
		print_row(&diff->rows[i]);
	if (diff->excluded)
		printf("\n%lu %s excluded: no value in A or in B.\n", diff->excluded,
		       plural(diff->excluded, "metric is", "metrics are"));
}
