// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Values over time, for charts. */
#include <math.h>
#include <stdlib.h>

#include "common.h"
#include "path_read.h"
#include "summary.h"

struct bins {
	struct series *series;
	double *snapshots;	/* of each bin */
};

static void *zeroes(size_t nr, size_t size)
{
	void *v = calloc(nr ? nr : 1, size);

	if (!v)
		die(EXIT_OTHER, "out of memory");
	return v;
}

static void begin(struct bins *bins, struct series *series, const struct summary *summary,
		  size_t nr_lines, size_t max_bins)
{
	series->nr_lines = nr_lines;
	series->nr_bins = summary->nr < max_bins ? summary->nr : max_bins;
	series->time = zeroes(series->nr_bins, sizeof(*series->time));
	series->v = zeroes(series->nr_bins * nr_lines, sizeof(*series->v));
	series->cells = zeroes(series->nr_bins * nr_lines, sizeof(*series->cells));
	bins->series = series;
	bins->snapshots = zeroes(series->nr_bins, sizeof(*bins->snapshots));
}

static void add(struct bins *bins, size_t line, size_t bin, const struct value *value)
{
	summary_count(&bins->series->cells[line * bins->series->nr_bins + bin], value);
}

static void make_means(struct bins *bins)
{
	struct series *series = bins->series;

	for (size_t i = 0; i < series->nr_bins * series->nr_lines; i++)
		series->v[i] = series->cells[i].numbers ? series->cells[i].mean : NAN;
}

static void finish(struct bins *bins)
{
	struct series *series = bins->series;

	for (size_t i = 0; i < series->nr_bins; i++)
		series->time[i] /= fmax(bins->snapshots[i], 1);
	free(bins->snapshots);
}

/* Return: the next snapshot's bin, or -1 behind the last. */
static long next_bin(struct bins *bins, const struct summary *summary,
		     struct recording *recording, unsigned long *nr)
{
	size_t bin;

	do {
		/* The file may have grown since it was summed up. */
		if (*nr >= summary->nr || !recording_next(recording))
			return -1;
	} while (!summary_in_span(summary, recording->time));
	bin = (*nr)++ * bins->series->nr_bins / summary->nr;
	bins->series->time[bin] += recording->time - summary->start;
	bins->snapshots[bin]++;
	return (long)bin;
}

void series_of_columns(struct series *series, const struct summary *summary,
		       struct recording *recording, size_t place, const int columns[], size_t nr,
		       size_t max_bins)
{
	unsigned long seen = 0;
	struct bins bins;
	long bin;

	begin(&bins, series, summary, nr, max_bins);
	recording_rewind(recording);
	while ((bin = next_bin(&bins, summary, recording, &seen)) >= 0)
		for (size_t i = 0; i < nr; i++)
			if (columns[i] >= 0)
				add(&bins, i, bin, recording_value(recording, place, columns[i]));
	make_means(&bins);
	finish(&bins);
}

void series_of_places(struct series *series, const struct summary *summary,
		      struct recording *recording, const size_t places[], size_t nr,
		      size_t per_line, int column, size_t max_bins)
{
	unsigned long seen = 0;
	struct bins bins;
	long bin;

	begin(&bins, series, summary, (nr + per_line - 1) / per_line, max_bins);
	recording_rewind(recording);
	while ((bin = next_bin(&bins, summary, recording, &seen)) >= 0)
		for (size_t i = 0; i < nr && column >= 0; i++)
			add(&bins, i / per_line, bin,
			    recording_value(recording, places[i], column));
	make_means(&bins);
	finish(&bins);
}

void series_of_paths(struct series *series, const struct summary *summary,
		     struct recording *recording, size_t place, const int metrics[], size_t nr,
		     size_t max_bins)
{
	unsigned long seen = 0;
	struct bins bins;
	struct path path;
	long bin;

	begin(&bins, series, summary, nr + 1, max_bins);
	recording_rewind(recording);
	while ((bin = next_bin(&bins, summary, recording, &seen)) >= 0) {
		if (!path_of_recording(&path, recording, place))
			continue;
		for (size_t i = 0; i < nr; i++)
			series->v[i * series->nr_bins + bin] += path_holds(&path, metrics[i]);
		series->v[nr * series->nr_bins + bin]++;
	}
	finish(&bins);
}

void series_free(struct series *series)
{
	free(series->time);
	free(series->v);
	free(series->cells);
}
