// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Changes between two recordings, and whether they exceed the error. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "lib/memory.h"
#include "reader/errors.h"

#define ALL_POINTS	100	/* maximum error of a difference of percentages */
#define MAX_PARTS	8	/* of a recording */
#define CHANCE		0.05	/* of a difference where there is none */

const struct diff_verdict_name diff_verdicts[] = {
	[DIFF_NO_NUMBER] = { "no_number", "no number to compare" },
	[DIFF_FEW_WINDOWS] = { "too_few_windows", "too few windows" },
	[DIFF_UNKNOWN] = { "error_unknown", "error unknown" },
	[DIFF_WITHIN] = { "within_error", "within the error" },
	[DIFF_MORE] = { "more", "more" },
	[DIFF_LESS] = { "less", "less" },
};

static const char *place_of(const struct diff_side *side)
{
	return side->recording.places.v[side->place].name;
}

/* Adds the current snapshot; words are left out. */
static void series_add(struct diff_side *side)
{
	for (size_t i = 0; i < side->recording.nr_columns; i++) {
		const struct value *value = recording_value(&side->recording, side->place, i);
		struct series *series = &side->series[i];

		if (!value || !value->is_number)
			continue;
		series->v = xgrow(series->v, series->nr, &series->room, sizeof(*series->v));
		series->v[series->nr++] = value->number;
	}
}

static double mean_of(const struct series *series, size_t from, size_t to)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += series->v[i];
	return sum / (double)(to - from);
}

/*
 * 95 % error of the mean by the variance between parts of the recording, at least two.
 * Windows of a workload with phases resemble their neighbours, so the variance between
 * windows is too small for the mean of many; that between parts longer than a phase is not.
 */
static double series_error(const struct series *series, unsigned long nr_parts)
{
	double mean = mean_of(series, 0, series->nr), squares = 0;

	for (size_t i = 0; i < nr_parts; i++) {
		double part = mean_of(series, i * series->nr / nr_parts,
				      (i + 1) * series->nr / nr_parts);

		squares += (part - mean) * (part - mean);
	}
	return summary_student(nr_parts - 1) *
	       sqrt(squares / (double)(nr_parts * (nr_parts - 1)));
}

void diff_read(struct diff_side *side, const char *place)
{
	side->place = recording_place(&side->recording, place);
	side->series = xcalloc(side->recording.nr_columns, sizeof(*side->series));
	summary_begin(&side->summary, &side->recording);
	while (recording_next(&side->recording))
		if (summary_add(&side->summary, &side->recording))
			series_add(side);
}

/* Without a name, each recording has its own main place. */
static void check_places(const struct diff *diff)
{
	if (strcmp(place_of(&diff->a), place_of(&diff->b)))
		die(ERR_NO_COMMON_PLACE,
		    "%s starts with %s, %s with %s: choose a place with --place",
		    diff->a.recording.name, place_of(&diff->a), diff->b.recording.name,
		    place_of(&diff->b));
}

/* The other recording may have the metric in another group. */
static int find_other(const struct recording *other, const struct recording_column *column)
{
	int same = recording_find(other, column->group, column->name);

	return same < 0 ? recording_find_values(other, column->name) : same;
}

static unsigned long count_missing(const struct recording *recording, const struct recording *in)
{
	unsigned long nr = 0;

	for (size_t i = 0; i < recording->nr_columns; i++)
		nr += recording_is_first(recording, i) &&
		      recording_find_values(in, recording->columns[i].name) < 0;
	return nr;
}

static enum diff_verdict judge(const struct diff_row *row)
{
	if (row->windows_a < DIFF_MIN_WINDOWS || row->windows_b < DIFF_MIN_WINDOWS)
		return DIFF_FEW_WINDOWS;
	if (!row->has_error)
		return DIFF_UNKNOWN;
	if (fabs(row->change) <= row->error)
		return DIFF_WITHIN;
	return row->change > 0 ? DIFF_MORE : DIFF_LESS;
}

static bool has_verdict(const struct diff_row *row)
{
	return row->verdict >= DIFF_WITHIN;
}

/* Includes the variance between windows, i.e. is unknown for a single one. */
static bool side_error(const struct diff_side *side, size_t column, unsigned long windows,
		       double *error)
{
	if (windows < 2)
		return false;
	summary_error(&side->summary, summary_at(&side->summary, side->place, column), error);
	*error = fmax(*error, series_error(&side->series[column],
					   windows < MAX_PARTS ? windows : MAX_PARTS));
	return true;
}

/* Both errors are 95 % intervals of independent means: their squares add up. */
static void find_error(const struct diff *diff, struct diff_row *row, size_t column,
		       size_t other)
{
	double a, b;

	if (!side_error(&diff->a, column, row->windows_a, &a) ||
	    !side_error(&diff->b, other, row->windows_b, &b))
		return;
	row->error = hypot(a, b);
	row->has_error = !row->points || row->error < ALL_POINTS;
}

static bool is_shown_as_zero(double mean, const struct recording_column *column)
{
	return fabs(mean) < 0.5 * pow(10, -summary_decimals(column));
}

static void compare(const struct diff *diff, struct diff_row *row, size_t column, size_t other)
{
	row->size = -1;
	row->points = !strncmp(row->column->unit, "percent", strlen("percent"));
	row->relative = NAN;
	if (!row->a->numbers || !row->b->numbers)
		return;
	find_error(diff, row, column, other);
	row->change = row->b->mean - row->a->mean;
	if (!is_shown_as_zero(row->a->mean, row->column))
		row->relative = 100 * row->change / fabs(row->a->mean);
	row->verdict = judge(row);
	if (has_verdict(row))
		row->size = row->change != 0 ? fabs(row->change) / row->error : 0;
}

static void count(struct diff *diff, const struct diff_row *row)
{
	diff->compared += has_verdict(row);
	diff->different += has_verdict(row) && row->verdict != DIFF_WITHIN;
	diff->few += row->verdict == DIFF_FEW_WINDOWS;
}

static void add_row(struct diff *diff, size_t column, size_t other)
{
	struct diff_row *row = &diff->rows[diff->nr];

	*row = (struct diff_row) {
		.column = &diff->a.recording.columns[column],
		.a = summary_at(&diff->a.summary, diff->a.place, column),
		.b = summary_at(&diff->b.summary, diff->b.place, other),
	};
	row->windows_a = summary_windows(&diff->a.summary, row->a);
	row->windows_b = summary_windows(&diff->b.summary, row->b);
	if (row->a->numbers || row->b->numbers) {
		compare(diff, row, column, other);
		count(diff, row);
		diff->nr++;
	} else {
		diff->excluded++;
	}
}

/* The largest first; the others, and equal ones, in the order of the recording. */
static int compare_sizes(const void *first, const void *second)
{
	const struct diff_row *a = first, *b = second;

	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return a->column < b->column ? -1 : 1;
}

void diff_make(struct diff *diff)
{
	const struct recording *a = &diff->a.recording, *b = &diff->b.recording;

	check_places(diff);
	diff->rows = xreallocarray(NULL, a->nr_columns, sizeof(*diff->rows));
	for (size_t i = 0; i < a->nr_columns; i++) {
		int k = recording_is_first(a, i) ? find_other(b, &a->columns[i]) : -1;

		if (k >= 0)
			add_row(diff, i, k);
	}
	qsort(diff->rows, diff->nr, sizeof(*diff->rows), compare_sizes);
	diff->only_a = count_missing(a, b);
	diff->only_b = count_missing(b, a);
}

double diff_by_chance(const struct diff *diff)
{
	return CHANCE * (double)diff->compared;
}

static void free_side(struct diff_side *side)
{
	for (size_t i = 0; i < side->recording.nr_columns; i++)
		free(side->series[i].v);
	free(side->series);
	summary_free(&side->summary);
	recording_close(&side->recording);
}

void diff_free(struct diff *diff)
{
	free(diff->rows);
	free_side(&diff->a);
	free_side(&diff->b);
}

bool diff_is_simulated(const struct diff *diff)
{
	return recording_about(&diff->a.recording, "simulated") ||
	       recording_about(&diff->b.recording, "simulated");
}

const struct diff_fact *diff_next_fact(const struct diff *diff, size_t *at)
{
	static const struct diff_fact facts[] = {
		{ "host", "host" },
		{ "kernel", "kernel" },
		{ "pmu", "PMU" },
		{ "core", "core" },
		{ "simulated", "simulated counts" },
		{ "window_ms", "window_ms" },
	};

	while (*at < NR(facts)) {
		const struct diff_fact *fact = &facts[(*at)++];
		const char *a = recording_about(&diff->a.recording, fact->key);
		const char *b = recording_about(&diff->b.recording, fact->key);

		if ((a || b) && (!a || !b || strcmp(a, b)))
			return fact;
	}
	return NULL;
}

static const char *known_about(const struct diff_side *side, const struct diff_fact *fact)
{
	const char *text = recording_about(&side->recording, fact->key);

	if (!strcmp(fact->key, "simulated"))
		return text ? "yes" : "no";
	/* "core" is only recorded for cores other than Neoverse N3. */
	if (!text && !strcmp(fact->key, "core"))
		return "Neoverse N3";
	return text ? text : "not recorded";
}

void diff_warn(const struct diff *diff)
{
	const struct diff_fact *fact;
	size_t at = 0;

	while ((fact = diff_next_fact(diff, &at)))
		warn(ERR_RECORDINGS_DIFFER,
		     "A and B differ in more than the workload: %s: %s in A, %s in B", fact->title,
		     known_about(&diff->a, fact), known_about(&diff->b, fact));
	if (diff->only_a || diff->only_b)
		warn(ERR_METRICS_NOT_COMPARED,
		     "not compared: metrics that only one recording has, %lu in A and "
		     "%lu in B", diff->only_a, diff->only_b);
}
