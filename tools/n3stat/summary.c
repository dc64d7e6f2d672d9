// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A recording in numbers: means with their errors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "summary.h"

#define DEFAULT_WINDOW	2.0	/* the module's own default, in seconds */

static void count(struct summary_cell *cell, const struct value *value)
{
	double distance;

	if (!value || !value->is_number) {
		cell->words++;
		strcpy(cell->word, value ? value->text : NO_VALUE);
		return;
	}
	/* Welford's way: no large sums that cancel each other. */
	cell->numbers++;
	distance = value->number - cell->mean;
	cell->mean += distance / (double)cell->numbers;
	cell->squares += distance * (value->number - cell->mean);
	if (cell->numbers == 1 || value->number < cell->min)
		cell->min = value->number;
	if (cell->numbers == 1 || value->number > cell->max)
		cell->max = value->number;
	if (value->has_range) {
		cell->sum_half += value_error(value);
		cell->ranges++;
	}
	if (value->has_coverage) {
		cell->sum_coverage += value->coverage;
		cell->covers++;
	}
}

bool summary_in_span(const struct summary *summary, double time)
{
	return time - summary->start >= summary->from && time - summary->start <= summary->to;
}

static void count_snapshot(struct summary *summary, const struct recording *recording)
{
	for (size_t place = 0; place < recording->places.nr; place++)
		for (size_t i = 0; i < recording->nr_columns; i++)
			count(&summary->cells[place * summary->nr_columns + i],
			      recording_value(recording, place, i));
}

void summary_make(struct summary *summary, struct recording *recording)
{
	const char *window = recording_told(recording, "window_ms");
	size_t nr_cells = recording->places.nr * recording->nr_columns;
	bool first = true;

	summary->nr_columns = recording->nr_columns;
	summary->cells = calloc(nr_cells, sizeof(*summary->cells));
	if (!summary->cells)
		die(EXIT_OTHER, "out of memory");
	summary->window = window ? strtod(window, NULL) / 1000 : DEFAULT_WINDOW;
	if (!(summary->window > 0 && summary->window < 1e6))
		summary->window = DEFAULT_WINDOW;
	while (recording_next(recording)) {
		if (first)
			summary->start = recording->time;
		first = false;
		summary->end = recording->time;
		if (!summary_in_span(summary, recording->time))
			continue;
		summary->nr++;
		count_snapshot(summary, recording);
	}
}

void summary_free(struct summary *summary)
{
	free(summary->cells);
}

const struct summary_cell *summary_at(const struct summary *summary, size_t place,
				      size_t column)
{
	return &summary->cells[place * summary->nr_columns + column];
}

/* Student's t for 95 %, both sides. */
static double student(unsigned long freedom)
{
	static const double t[] = {
		12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201,
		2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086
	};

	if (freedom - 1 < NR(t))
		return t[freedom - 1];
	return 1.96 + 2.5 / (double)freedom;
}

/*
 * Windows of snapshots that follow each other closely share most of their
 * slices: only as many as fit side by side say something of their own.
 */
static unsigned long independent(const struct summary *summary, const struct summary_cell *cell)
{
	double seconds = summary->end - summary->start;
	double span = fmin(seconds, summary->to) - summary->from;
	double fitting = 1 + floor(span / summary->window);

	if (!(fitting < (double)cell->numbers))
		return cell->numbers;
	return fitting < 1 ? 1 : (unsigned long)fitting;
}

bool summary_error(const struct summary *summary, const struct summary_cell *cell,
		   double *error)
{
	double by_spread = 0, by_slices = 0;
	unsigned long nr;

	if (!cell->numbers)
		return false;
	nr = independent(summary, cell);
	if (nr > 1)
		by_spread = student(nr - 1) *
			    sqrt(cell->squares / (double)(cell->numbers - 1) / (double)nr);
	if (cell->ranges)
		by_slices = cell->sum_half / (double)cell->ranges / sqrt((double)nr);
	*error = fmax(by_spread, by_slices);
	return nr > 1 || cell->ranges;
}

struct value summary_value(const struct summary *summary, const struct summary_cell *cell)
{
	struct value value = { .is_number = cell->numbers > 0, .number = cell->mean };
	double error;

	snprintf(value.text, sizeof(value.text), "%.46s", *cell->word ? cell->word : NO_VALUE);
	if (summary_error(summary, cell, &error)) {
		value.has_range = true;
		value.low = cell->mean - error;
		value.high = cell->mean + error;
	} else {
		/* Something that was counted, but how well is not known. */
		value.has_coverage = true;
	}
	return value;
}
