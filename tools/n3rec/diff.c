// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Changes between two recordings, and whether they exceed the error. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/errors.h"
#include "diff.h"
#include "lib/memory.h"

#define ALL_POINTS	100	/* maximum error of a difference of percentages */

const char * const diff_verdicts[] = {
	[DIFF_NO_NUMBER] = "no number to compare",
	[DIFF_UNKNOWN] = "error unknown",
	[DIFF_WITHIN] = "within the error",
	[DIFF_MORE] = "more",
	[DIFF_LESS] = "less",
};

static size_t find_place(const struct recording *recording, const char *name)
{
	if (!name)
		return recording_main_place(recording);
	for (size_t i = 0; i < recording->places.nr; i++)
		if (!strcmp(recording->places.v[i].name, name))
			return i;
	die(ERR_NO_SUCH_PLACE, "%s: %s was not recorded", recording->name, name);
}

static const char *place_of(const struct diff_side *side)
{
	return side->recording->places.v[side->place].name;
}

/* Without a name: the system, or the first place that both have. */
static void find_places(struct diff *diff, const char *name)
{
	diff->a.place = find_place(diff->a.recording, name);
	diff->b.place = find_place(diff->b.recording, name);
	if (strcmp(place_of(&diff->a), place_of(&diff->b)))
		die(ERR_NO_COMMON_PLACE,
		    "%s has %s first, %s has %s: name one of both with --place",
		    diff->a.recording->name, place_of(&diff->a), diff->b.recording->name,
		    place_of(&diff->b));
}

/* A metric of several groups is compared once. */
static bool is_first(const struct recording *recording, size_t column)
{
	return recording_find_values(recording, recording->columns[column].name) == (int)column;
}

/* The other recording may have the metric in another group. */
static int find_other(const struct recording *other, const struct recording_column *column)
{
	int same = recording_find(other, column->group, column->name);

	return same < 0 ? recording_find_values(other, column->name) : same;
}

static unsigned long count_missing(const struct recording *of, const struct recording *in)
{
	unsigned long nr = 0;

	for (size_t i = 0; i < of->nr_columns; i++)
		nr += is_first(of, i) && recording_find_values(in, of->columns[i].name) < 0;
	return nr;
}

static enum diff_verdict judge(const struct diff_row *row)
{
	if (!row->has_error || row->says_nothing)
		return DIFF_UNKNOWN;
	if (fabs(row->change) <= row->error)
		return DIFF_WITHIN;
	return row->change > 0 ? DIFF_MORE : DIFF_LESS;
}

/* Both errors are 95 % intervals of independent means: their squares add up. */
static void compare(const struct diff *diff, struct diff_row *row)
{
	double a = 0, b = 0;

	row->points = !strncmp(row->column->unit, "percent", strlen("percent"));
	row->relative = NAN;
	if (!row->a->numbers || !row->b->numbers)
		return;
	row->has_error = summary_error(diff->a.summary, row->a, &a) &
			 summary_error(diff->b.summary, row->b, &b);
	row->error = hypot(a, b);
	row->says_nothing = row->points && row->error >= ALL_POINTS;
	row->change = row->b->mean - row->a->mean;
	if (row->a->mean != 0)
		row->relative = 100 * row->change / fabs(row->a->mean);
	row->verdict = judge(row);
}

static void add_row(struct diff *diff, size_t column, size_t other)
{
	struct diff_row *row = &diff->rows[diff->nr];

	*row = (struct diff_row) {
		.column = &diff->a.recording->columns[column],
		.a = summary_at(diff->a.summary, diff->a.place, column),
		.b = summary_at(diff->b.summary, diff->b.place, other),
	};
	if (row->a->numbers || row->b->numbers) {
		compare(diff, row);
		diff->nr++;
	} else {
		diff->excluded++;
	}
}

void diff_make(struct diff *diff, const struct recording *a, const struct summary *sa,
	       const struct recording *b, const struct summary *sb, const char *place)
{
	*diff = (struct diff) { .a = { a, sa, 0 }, .b = { b, sb, 0 } };
	find_places(diff, place);
	diff->rows = xreallocarray(NULL, a->nr_columns, sizeof(*diff->rows));
	for (size_t i = 0; i < a->nr_columns; i++) {
		int k = is_first(a, i) ? find_other(b, &a->columns[i]) : -1;

		if (k >= 0)
			add_row(diff, i, k);
	}
	diff->only_a = count_missing(a, b);
	diff->only_b = count_missing(b, a);
}

void diff_free(struct diff *diff)
{
	free(diff->rows);
}

bool diff_is_simulated(const struct diff *diff)
{
	return recording_about(diff->a.recording, "simulated") ||
	       recording_about(diff->b.recording, "simulated");
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
		const char *a = recording_about(diff->a.recording, fact->key);
		const char *b = recording_about(diff->b.recording, fact->key);

		if ((a || b) && (!a || !b || strcmp(a, b)))
			return fact;
	}
	return NULL;
}

static const char *known_about(const struct diff_side *side, const struct diff_fact *fact)
{
	const char *text = recording_about(side->recording, fact->key);

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
		     "not compared: metrics that were recorded in one of both only, %lu in A and "
		     "%lu in B", diff->only_a, diff->only_b);
}
