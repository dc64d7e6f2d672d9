// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Means and errors over a recording. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "libn3telemetry/about.h"
#include "summary.h"

#define CLOSE_ENOUGH	0.99	/* of a window: intervals of snapshots vary slightly */

void summary_add_number(struct summary_cell *cell, double number, double half)
{
	double distance = number - cell->mean;

	/* Welford's algorithm avoids cancellation. */
	cell->numbers++;
	cell->mean += distance / (double)cell->numbers;
	cell->squares += distance * (number - cell->mean);
	cell->min = cell->numbers == 1 ? number : fmin(cell->min, number);
	cell->max = cell->numbers == 1 ? number : fmax(cell->max, number);
	if (isnan(half))
		return;
	cell->halves += half * half;
	cell->widest = fmax(cell->widest, half);
	cell->ranges++;
}

static void count_value(struct summary_cell *cell, const struct value *value)
{
	if (!value || !value->is_number) {
		cell->words++;
		strcpy(cell->word, value ? value->text : NO_VALUE);
		return;
	}
	summary_add_number(cell, value->number, value->has_range ? value_error(value) : NAN);
	if (value->has_coverage) {
		cell->sum_coverage += value->coverage;
		cell->covers++;
	}
}

static bool is_in_span(const struct summary *summary, double time)
{
	return time - summary->start >= summary->from && time - summary->start <= summary->to;
}

static void count_snapshot(struct summary *summary, const struct recording *recording)
{
	for (size_t place = 0; place < recording->places.nr; place++)
		for (size_t i = 0; i < recording->nr_columns; i++)
			count_value(&summary->cells[place * summary->nr_columns + i],
				    recording_value(recording, place, i));
}

static void count_overlap(struct summary *summary, double time)
{
	if (summary->disjoint) {
		summary->overlap = 1;
		return;
	}
	summary->times = xreallocarray(summary->times, summary->nr, sizeof(*summary->times));
	summary->times[summary->nr - 1] = time;
	while (time - summary->times[summary->first] >= CLOSE_ENOUGH * summary->window)
		summary->first++;
	if (summary->nr - summary->first > summary->overlap)
		summary->overlap = summary->nr - summary->first;
}

void summary_begin(struct summary *summary, const struct recording *recording)
{
	const char *window = recording_about(recording, "window_ms");

	summary->nr_columns = recording->nr_columns;
	summary->disjoint = recording_about(recording, "covers");
	summary->cells = xcalloc(recording->places.nr * recording->nr_columns,
				 sizeof(*summary->cells));
	summary->window = window ? strtod(window, NULL) / 1000 : DEFAULT_WINDOW;
	if (!(summary->window > 0 && summary->window < 1e6))
		summary->window = DEFAULT_WINDOW;
}

bool summary_add(struct summary *summary, const struct recording *recording)
{
	if (!summary->begun)
		summary->start = recording->time;
	summary->begun = true;
	summary->end = recording->time;
	if (!is_in_span(summary, recording->time))
		return false;
	summary->nr++;
	count_overlap(summary, recording->time);
	count_snapshot(summary, recording);
	return true;
}

void summary_free(struct summary *summary)
{
	free(summary->times);
	free(summary->cells);
}

const struct summary_cell *summary_at(const struct summary *summary, size_t place,
				      size_t column)
{
	return &summary->cells[place * summary->nr_columns + column];
}

double summary_student(unsigned long freedom)
{
	static const double t[] = {
		12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201,
		2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086
	};

	if (freedom - 1 < NR(t))
		return t[freedom - 1];
	return 1.96 + 2.5 / (double)freedom;
}

unsigned long summary_windows(const struct summary *summary, const struct summary_cell *cell)
{
	unsigned long n = cell->numbers;

	return n > summary->overlap ? n / summary->overlap : !!n;
}

/*
 * Snapshots less than a window apart share slices. If at most k of them lie in one window,
 * they can be split into k rows of snapshots without shared slices. Within a row snapshots
 * are independent, so squares of errors add up; between rows the correlation is unknown, so
 * errors add up. By Cauchy's inequality the sum over all rows is at most the square root of
 * k times the sum of all squares, and the variance within the rows is at most the sum of
 * squares over n - k. So the error may be too large, but not too small.
 *
 * This also holds for estimates. Different windows share the slopes on their anchors, but
 * the effect of a wrong slope on a window has the sign of the window's own deviation, which
 * is independent.
 */
bool summary_error(const struct summary *summary, const struct summary_cell *cell,
		   double *error)
{
	double n = (double)cell->numbers, k = fmin((double)summary->overlap, n);
	unsigned long independent = summary_windows(summary, cell);
	double by_spread = 0, by_slices, halves;

	/* Values without an interval had few slices: theirs would be wide. */
	halves = cell->halves + (n - (double)cell->ranges) * cell->widest * cell->widest;
	by_slices = independent ? sqrt(k * halves) / n : 0;
	if (independent > 1)
		by_spread = summary_student(independent - 1) *
			    sqrt(cell->squares / (n - k) * k / n);
	*error = fmax(by_spread, by_slices);
	return independent > 1 || cell->ranges;
}

bool summary_error_is_useful(const struct summary *summary, const struct summary_cell *cell,
			     const char *unit, double *error)
{
	return summary_error(summary, cell, error) &&
	       value_range_is_useful(cell->mean - *error, cell->mean + *error, unit);
}

int summary_decimals(const struct recording_column *column)
{
	return strstr(column->unit, "percent") || !strcmp(column->unit, "MPKI") ? 2 : 4;
}

/* Numbers that are not of slices, such as ghz, have all decimals if the error is unknown. */
static struct number_text text_of(const struct summary_cell *cell, double number, double error,
				  int most)
{
	bool exact = isnan(error) && !cell->covers;
	struct number_text text = number_text(number, exact ? 0 : error, most);

	if (exact)
		strcpy(text.error, NO_RANGE);
	return text;
}

void summary_format(struct summary_text *text, const struct summary *summary,
		    const struct summary_cell *cell, const struct recording_column *column)
{
	int most = summary_decimals(column);
	double error, single;

	if (!summary_error_is_useful(summary, cell, column->unit, &error))
		error = NAN;
	/* Without intervals, the mean's error is the only one. */
	single = cell->ranges ? sqrt(cell->halves / (double)cell->ranges) : error;
	text->mean = text_of(cell, cell->mean, error, most);
	text->min = text_of(cell, cell->min, single, most);
	text->max = text_of(cell, cell->max, single, most);
}
