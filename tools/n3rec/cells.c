// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* In-memory copy of a recording. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cells.h"
#include "lib/memory.h"
#include "reader/errors.h"
#include "recording.h"

#define FIRST_ROOM	64
#define MAX_VALUES	300000000	/* 2.4 GB; two days of 128 CPUs at 2 s have 140 million */
#define PROGRESS_EVERY	20

static size_t word_number(struct cells *cells, const char *word)
{
	for (size_t i = 0; i < cells->nr_words; i++)
		if (!strcmp(cells->words[i], word))
			return i;
	/* Only in a damaged file; the module has fewer. */
	if (cells->nr_words == CELLS_MAX_WORDS)
		return 0;
	strcpy(cells->words[cells->nr_words], word);
	return cells->nr_words++;
}

static void begin(struct cells *cells, const struct recording *recording)
{
	*cells = (struct cells) {
		.nr_places = recording->places.nr,
		.nr_columns = recording->nr_columns,
	};
	cells->lines = xcalloc(cells->nr_places * cells->nr_columns, sizeof(*cells->lines));
	cells->words = xcalloc(CELLS_MAX_WORDS, sizeof(*cells->words));
	cells->path_at = xcalloc(cells->nr_places, sizeof(*cells->path_at));
	word_number(cells, NO_VALUE);
}

/* A file of a few hundred kilobytes can expand to more than the memory. */
static void check_size(const struct cells *cells)
{
	if (cells->nr_lines && cells->room > MAX_VALUES / cells->nr_lines)
		die(ERR_TOO_MANY_VALUES,
		    "too many values for a page, above %d; choose a span with --from "
		    "and --to", MAX_VALUES);
}

static void grow(struct cells *cells)
{
	cells->room = cells->room ? 2 * cells->room : FIRST_ROOM;
	check_size(cells);
	cells->time = xreallocarray(cells->time, cells->room, sizeof(*cells->time));
	for (size_t i = 0; i < cells->nr_places * cells->nr_columns; i++) {
		struct cells_line *line = &cells->lines[i];

		if (!line->value)
			continue;
		line->value = xreallocarray(line->value, cells->room, sizeof(*line->value));
		line->half = xreallocarray(line->half, cells->room, sizeof(*line->half));
	}
	for (size_t i = 0; i < cells->nr_places; i++)
		if (cells->path_at[i])
			cells->path_at[i] = xreallocarray(cells->path_at[i], cells->room,
							  sizeof(*cells->path_at[i]));
}

static void take(struct cells *cells, struct cells_line *line, const struct value *value)
{
	if (!line->value) {
		cells->nr_lines++;
		check_size(cells);
		line->value = xreallocarray(NULL, cells->room, sizeof(*line->value));
		line->half = xreallocarray(NULL, cells->room, sizeof(*line->half));
		line->from = cells->nr;
	}
	line->value[cells->nr] = NAN;
	if (!value)
		line->half[cells->nr] = 0;
	else if (!value->is_number)
		line->half[cells->nr] = (float)word_number(cells, value->text);
	else
		line->value[cells->nr] = (float)value->number;
	if (value && value->is_number)
		line->half[cells->nr] = value->has_range ? (float)value_error(value) : NAN;
}

/* Most snapshots have one of a few ends. Return: 0 if there is none. */
static uint16_t path_number(struct cells *cells, const struct value *value)
{
	int end = value ? catalog_find_metric(value->text) : -1;
	struct path path;

	if (!value || (end < 0 && strcmp(value->text, BOTTLENECK_NONE)) || !path_lead(&path, end))
		return 0;
	for (size_t i = 0; i < cells->nr_paths; i++)
		if (cells->paths[i].nr == path.nr &&
		    (!path.nr || cells->paths[i].metrics[path.nr - 1] == end))
			return (uint16_t)(i + 1);
	cells->paths = xreallocarray(cells->paths, cells->nr_paths + 1, sizeof(*cells->paths));
	cells->paths[cells->nr_paths++] = path;
	return (uint16_t)cells->nr_paths;
}

static void take_path(struct cells *cells, size_t place, const struct value *end)
{
	uint16_t number = path_number(cells, end);

	if (!number)
		return;
	if (!cells->path_at[place]) {
		cells->path_at[place] = xreallocarray(NULL, cells->room,
						      sizeof(**cells->path_at));
		memset(cells->path_at[place], 0, cells->nr * sizeof(**cells->path_at));
	}
	cells->path_at[place][cells->nr] = number;
}

static void take_place(struct cells *cells, const struct recording *recording, size_t place)
{
	for (size_t i = 0; i < cells->nr_columns; i++) {
		struct cells_line *line = &cells->lines[place * cells->nr_columns + i];
		const struct value *value = recording_value(recording, place, i);

		if (value || line->value)
			take(cells, line, value);
	}
}

static void take_snapshot(struct cells *cells, const struct recording *recording, double time,
			  int end)
{
	if (cells->nr == cells->room)
		grow(cells);
	cells->time[cells->nr] = time;
	for (size_t place = 0; place < cells->nr_places; place++) {
		take_place(cells, recording, place);
		if (cells->path_at[place])
			cells->path_at[place][cells->nr] = 0;
		if (end >= 0)
			take_path(cells, place, recording_value(recording, place, (size_t)end));
	}
	cells->nr++;
}

void cells_read(struct cells *cells, struct summary *summary, struct recording *recording,
		cells_progress progress)
{
	int end = recording_find(recording, BOTTLENECK_FILE, bottleneck_names[BOTTLENECK_END]);

	begin(cells, recording);
	summary_begin(summary, recording);
	while (recording_next(recording)) {
		if (summary_add(summary, recording))
			take_snapshot(cells, recording, recording->time - summary->start, end);
		if (progress && recording->nr % PROGRESS_EVERY == 0)
			progress(recording->nr);
	}
}

void cells_free(struct cells *cells)
{
	for (size_t i = 0; i < cells->nr_places * cells->nr_columns; i++) {
		free(cells->lines[i].value);
		free(cells->lines[i].half);
	}
	for (size_t i = 0; i < cells->nr_places; i++)
		free(cells->path_at[i]);
	free(cells->lines);
	free(cells->path_at);
	free(cells->time);
	free(cells->words);
	free(cells->paths);
}

const struct cells_line *cells_line(const struct cells *cells, size_t place, size_t column)
{
	const struct cells_line *line = &cells->lines[place * cells->nr_columns + column];

	return line->value ? line : NULL;
}

double cells_interval(const struct cells *cells, const struct summary *summary)
{
	double span = cells->time[cells->nr - 1] - cells->time[0];

	return span > 0 ? span / (double)(cells->nr - 1) : summary->window;
}

size_t cells_bins(const struct cells *cells, size_t max)
{
	return cells->nr < max ? cells->nr : max;
}

size_t cells_bin(const struct cells *cells, size_t nr_bins, size_t bin)
{
	return bin * cells->nr / nr_bins;
}

double cells_edge(const struct cells *cells, const struct summary *summary, size_t snapshot)
{
	if (snapshot < cells->nr)
		return cells->time[snapshot];
	return cells->time[cells->nr - 1] + cells_interval(cells, summary);
}

void cells_add(struct summary_cell *sum, size_t *word, const struct cells_line *line, size_t from,
	       size_t to)
{
	for (size_t i = from; line && i < to; i++)
		if (i < line->from)
			*word = 0;
		else if (isnan(line->value[i]))
			*word = (size_t)line->half[i];
		else
			summary_add_number(sum, (double)line->value[i], (double)line->half[i]);
}
