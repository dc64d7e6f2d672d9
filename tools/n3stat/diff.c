// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What changed from one recording to another, and whether it exceeds the error. */
#include <math.h>
#include <string.h>

#include "common.h"
#include "diff.h"

static size_t find_place(const struct recording *recording, const char *name)
{
	if (!name)
		return recording_main_place(recording);
	for (size_t i = 0; i < recording->places.nr; i++)
		if (!strcmp(recording->places.v[i].name, name))
			return i;
	die(EXIT_NO_PLACE, "%s: %s was not recorded", recording->name, name);
}

/* Without a name: the system in both, or what else comes first in both. */
static void find_places(const struct recording *a, const struct recording *b, const char *name,
			size_t *pa, size_t *pb)
{
	*pa = find_place(a, name);
	*pb = find_place(b, name);
	if (strcmp(a->places.v[*pa].name, b->places.v[*pb].name))
		die(EXIT_NO_PLACE, "%s has %s first, %s has %s: name one of both with --place",
		    a->name, a->places.v[*pa].name, b->name, b->places.v[*pb].name);
}

/* A metric of several groups is compared once. */
static bool came_before(const struct recording *recording, size_t column)
{
	for (size_t i = 0; i < column; i++)
		if (!strcmp(recording->columns[i].name, recording->columns[column].name))
			return true;
	return false;
}

static void print_mean(const struct summary_cell *cell, int decimals)
{
	if (cell->numbers)
		printf(" %12.*f", decimals, cell->mean);
	else
		printf(" %12s", *cell->word ? cell->word : NO_VALUE);
}

/* Both errors are 95 % intervals of independent means: they add as squares. */
static const char *judge(double change, bool known, double error)
{
	if (!known)
		return "error unknown";
	return fabs(change) > error ? (change > 0 ? "more" : "less") : "within the error";
}

static void print_row(const struct recording_column *column, const struct summary *sa,
		      const struct summary_cell *a, const struct summary *sb,
		      const struct summary_cell *b)
{
	int decimals = summary_decimals(column);
	double ea = 0, eb = 0, change;
	bool known;

	printf("%-33s", column->name);
	print_mean(a, decimals);
	print_mean(b, decimals);
	if (!a->numbers || !b->numbers) {
		printf(" %12s %10s  %s\n", "-", "-", "no number to compare");
		return;
	}
	known = summary_error(sa, a, &ea) & summary_error(sb, b, &eb);
	change = b->mean - a->mean;
	printf(" %+12.*f", decimals, change);
	if (known)
		printf(" %10.*f", decimals, hypot(ea, eb));
	else
		printf(" %10s", "?");
	printf("  %s\n", judge(change, known, hypot(ea, eb)));
}

/* One of both alone is compared with something else. */
static void print_simulated_of(const struct recording *a, const struct recording *b)
{
	bool of_a = recording_about(a, "simulated"), of_b = recording_about(b, "simulated");

	if (of_a || of_b)
		printf("%ssimulated counts (n3_sim)\n", of_a && of_b ? "" : of_a ? "A: " : "B: ");
}

static void print_head(const char *which, const struct recording *recording, size_t place,
		       unsigned long nr)
{
	printf("%s: %s, %s, %lu %s\n", which, recording->name, recording->places.v[place].name,
	       nr, plural(nr, "snapshot", "snapshots"));
}

void diff_print(const struct recording *a, const struct summary *sa, const struct recording *b,
		const struct summary *sb, const char *place)
{
	const struct summary_cell *ca, *cb;
	unsigned long excluded = 0;
	size_t pa, pb;

	find_places(a, b, place, &pa, &pb);
	print_simulated_of(a, b);
	print_head("A", a, pa, sa->nr);
	print_head("B", b, pb, sb->nr);
	printf("\n%-33s %12s %12s %12s %10s  %s\n", "metric", "A", "B", "change", "error",
	       "verdict");
	for (size_t i = 0; i < a->nr_columns; i++) {
		int k = recording_find(b, a->columns[i].group, a->columns[i].name);

		if (k < 0 || came_before(a, i) || !recording_has_values(a, i))
			continue;
		ca = summary_at(sa, pa, i);
		cb = summary_at(sb, pb, k);
		if (ca->numbers || cb->numbers)
			print_row(&a->columns[i], sa, ca, sb, cb);
		else
			excluded++;
	}
	if (excluded)
		printf("\n%lu %s excluded: no value in A or in B.\n", excluded,
		       plural(excluded, "metric is", "metrics are"));
}
