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
	for (size_t i = 0; i < cells->nr_places * cells->nr_columns; i++)
		if (cells->lines[i])
			cells->lines[i] = xreallocarray(cells->lines[i], cells->room,
							sizeof(*cells->lines[i]));
}

static struct cells_value value_of(struct cells *cells, const struct value *value)
{
	if (!value)
		return (struct cells_value) { NAN, 0 };
	if (!value->is_number)
		return (struct cells_value) { NAN, (float)word_number(cells, value->text) };
	return (struct cells_value) { (float)value->number,
				      value->has_range ? (float)value_error(value) : NAN };
}

static struct cells_value *new_line(struct cells *cells)
{
	struct cells_value *line;

	cells->nr_lines++;
	check_size(cells);
	line = xreallocarray(NULL, cells->room, sizeof(*line));
	for (size_t i = 0; i < cells->nr; i++)
		line[i] = value_of(cells, NULL);
	return line;
}

static void take_place(struct cells *cells, const struct recording *recording, size_t place)
{
	for (size_t i = 0; i < cells->nr_columns; i++) {
		struct cells_value **line = &cells->lines[place * cells->nr_columns + i];
		const struct value *value = recording_value(recording, place, i);

		if (value && !*line)
			*line = new_line(cells);
		if (*line)
			(*line)[cells->nr] = value_of(cells, value);
	}
}

static void take_snapshot(struct cells *cells, const struct recording *recording, double time)
{
	if (cells->nr == cells->room)
		grow(cells);
	cells->time[cells->nr] = time;
	for (size_t place = 0; place < cells->nr_places; place++)
		take_place(cells, recording, place);
	cells->nr++;
}

void cells_read(struct cells *cells, struct summary *summary, struct recording *recording,
		cells_progress progress)
{
	begin(cells, recording);
	summary_begin(summary, recording);
	while (recording_next(recording)) {
		if (summary_add(summary, recording))
			take_snapshot(cells, recording, recording->time - summary->start);
		if (progress && recording->nr % PROGRESS_EVERY == 0)
			progress(recording->nr);
	}
}

void cells_free(struct cells *cells)
{
	for (size_t i = 0; i < cells->nr_places * cells->nr_columns; i++)
		free(cells->lines[i]);
	free(cells->lines);
	free(cells->time);
	free(cells->words);
}

const struct cells_value *cells_line(const struct cells *cells, size_t place, size_t column)
{
	return cells->lines[place * cells->nr_columns + column];
}

double cells_interval(const struct cells *cells, const struct summary *summary)
{
	double span = cells->time[cells->nr - 1] - cells->time[0];

	return span > 0 ? span / (double)(cells->nr - 1) : summary->window;
}

void cells_add(struct summary_cell *sum, size_t *word, const struct cells_value *line, size_t from,
	       size_t to)
{
	for (size_t i = from; line && i < to; i++)
		if (isnan(line[i].value))
			*word = (size_t)line[i].half;
		else
			summary_add_number(sum, (double)line[i].value, (double)line[i].half);
}
