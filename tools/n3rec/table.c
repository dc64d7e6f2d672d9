// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Means and errors of a recording as a table of text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "lib/text.h"
#include "libn3telemetry/catalog.h"
#include "reader/path_advice.h"
#include "table.h"

static struct value mean_of(const struct summary *summary, const struct summary_cell *cell,
			    const char *unit)
{
	struct value mean = value_of_text(*cell->word ? cell->word : NO_VALUE);
	double error;

	if (!cell->numbers)
		return mean;
	mean = (struct value) { .is_number = true, .number = cell->mean, .has_coverage = true };
	if (summary_error_is_useful(summary, cell, unit, &error)) {
		mean.has_range = true;
		mean.low = cell->mean - error;
		mean.high = cell->mean + error;
	}
	return mean;
}

static const struct value *mean_at(const void *means, int metric)
{
	return (const struct value *)means + metric;
}

/* The largest losses by the means, if Topdown level 1 has them. */
static void print_losses(const struct recording *recording, const struct summary *summary,
			 size_t place)
{
	size_t nr = (size_t)catalog_nr_metrics();
	struct value *means = xcalloc(nr, sizeof(*means));
	struct path path;
	char *text;

	for (size_t i = 0; i < nr; i++)
		means[i] = value_of_text(NO_VALUE);
	for (size_t i = 0; i < recording->nr_columns; i++)
		if (recording->columns[i].metric >= 0 && recording_is_first(recording, i))
			means[recording->columns[i].metric] =
				mean_of(summary, summary_at(summary, place, i),
					recording->columns[i].unit);
	path_find(&path, mean_at, means);
	if (path.nr) {
		text = path_brief_text(&path, false);
		printf("bottleneck: %s of all slots\n", text);
		free(text);
		text = path_losses_text(&path);
		if (text)
			printf("losses: %s\n", text);
		free(text);
	}
	free(means);
}

static void print_head(const struct recording *recording, const struct summary *summary,
		       size_t place)
{
	if (recording_about(recording, "simulated"))
		puts("simulated counts (n3_sim)");
	printf("%s: %s, %lu %s\n", recording->name, recording->places.v[place].name,
	       summary->nr, plural(summary->nr, "snapshot", "snapshots"));
	if (recording_about(recording, "included"))
		printf("included at the start: %s\n", recording_about(recording, "included"));
	if (recording_about(recording, "covers"))
		printf("each snapshot covers the interval of %g s before it\n", summary->window);
	print_losses(recording, summary, place);
	printf("\n%-33s %12s %12s %12s %12s %9s  %s\n", "metric", "mean", "error", "min", "max",
	       "snapshots", "unit");
}

static void print_aligned(const char *text, int pad)
{
	printf(" %*s%*s", 12 - pad, text, pad, "");
}

static void print_row(const struct summary *summary, const struct summary_cell *cell,
		      const struct recording_column *column)
{
	struct summary_text text;

	if (!cell->numbers) {
		printf("%-33s %12s %12s %12s %12s", column->name,
		       *cell->word ? cell->word : NO_VALUE, "-", "-", "-");
	} else {
		summary_format(&text, summary, cell, column);
		printf("%-33s", column->name);
		print_aligned(text.mean.number, text.mean.pad);
		print_aligned(text.mean.error,
			      strcmp(text.mean.error, NO_RANGE) ? text.mean.pad : 0);
		print_aligned(text.min.number, text.min.pad);
		print_aligned(text.max.number, text.max.pad);
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
