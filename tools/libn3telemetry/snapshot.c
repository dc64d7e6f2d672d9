// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reader of all selected values at one time. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "catalog.h"
#include "lib/util.h"
#include "errors.h"
#include "snapshot.h"
#include "source.h"

static struct values values;

static bool read_path(const char *path, bool bottleneck)
{
	const char *text;

	if (source_read(path, &text) < 0)
		return false;
	if (bottleneck)
		bottleneck_parse(&values, text);
	else
		values_parse(&values, text, path);
	return values.nr > 0;
}

/* Return: whether the place's group could be read; a CPU's directory may vanish. */
static bool read_file(const struct choice *choice, size_t place, size_t file, bool quality)
{
	const char *directory = choice->places.v[place].name;
	const char *name = choice->files[file].name;
	char *path = NULL;
	bool ok = false;

	values.nr = 0;
	if (quality && !choice->files[file].bottleneck) {
		path = format_string("%s/quality/%s", directory, name);
		ok = read_path(path, false);
		free(path);
	}
	if (!ok) {
		path = format_string("%s/%s", directory, name);
		ok = read_path(path, choice->files[file].bottleneck);
		free(path);
	}
	return ok;
}

static struct column make_column(const char *name, size_t file)
{
	int metric = catalog_find_metric(name);
	struct column column = {
		.file = file,
		.metric = metric,
		.unit = metric < 0 ? "" : catalog_metric(metric).unit,
		.short_unit = metric < 0 ? "-" : catalog_metric(metric).short_unit,
	};

	strcpy(column.name, name);
	return column;
}

/* The columns of a whole file are those of the first readable one. */
static void discover_columns(struct choice *choice, size_t file)
{
	size_t at = choice->nr_columns;

	while (at > 0 && choice->columns[at - 1].file > file)
		at--;
	/* They include the ones selected individually. */
	while (at > 0 && choice->columns[at - 1].file == file) {
		at--;
		memmove(&choice->columns[at], &choice->columns[at + 1],
			(--choice->nr_columns - at) * sizeof(*choice->columns));
	}
	choice->columns = xreallocarray(choice->columns, choice->nr_columns + values.nr,
					sizeof(*choice->columns));
	memmove(&choice->columns[at + values.nr], &choice->columns[at],
		(choice->nr_columns - at) * sizeof(*choice->columns));
	for (size_t i = 0; i < values.nr; i++)
		choice->columns[at + i] = make_column(values.v[i].name, file);
	choice->nr_columns += values.nr;
	choice->files[file].known = true;
}

/* Columns must be known before the first value is stored. */
static void discover(struct choice *choice)
{
	for (size_t file = 0; file < choice->nr_files; file++) {
		bool any = false;

		if (!choice->files[file].whole || choice->files[file].known)
			continue;
		for (size_t place = 0; place < choice->places.nr && !any; place++)
			any = read_file(choice, place, file, choice->quality) && !values.word;
		/* Fall back to the words. */
		for (size_t place = 0; place < choice->places.nr && !any; place++)
			any = read_file(choice, place, file, choice->quality);
		if (any)
			discover_columns(choice, file);
		else
			die(ERR_MALFORMED_FILE, "%s/%s/%s: holds no value", source_info().name,
			    choice->places.v[0].name, choice->files[file].name);
	}
}

static void put(struct snapshot *snapshot, size_t at, const struct named_value *found)
{
	snapshot->v[at] = found->value;
	snapshot->estimates[at] = found->estimate;
}

static void read_row(struct snapshot *snapshot, const struct choice *choice, size_t place,
		     size_t nr_files)
{
	const struct value none = value_of_text(NO_VALUE);
	const struct named_value nothing = { .value = none, .estimate = none };
	size_t row = place * choice->nr_columns;
	const struct named_value *found;

	for (size_t i = 0; i < choice->nr_columns; i++)
		put(snapshot, row + i, &nothing);
	for (size_t file = 0; file < nr_files; file++) {
		if (!read_file(choice, place, file, choice->quality))
			continue;
		for (size_t i = 0; i < choice->nr_columns; i++) {
			if (choice->columns[i].file != file)
				continue;
			found = values.word ? &values.v[0] :
				values_find(&values, choice->columns[i].name);
			if (found)
				put(snapshot, row + i, found);
		}
	}
}

static void begin(struct snapshot *snapshot, struct choice *choice)
{
	struct timespec now;
	size_t nr;

	discover(choice);
	nr = choice->places.nr * choice->nr_columns;
	snapshot->v = xreallocarray(snapshot->v, nr, sizeof(*snapshot->v));
	snapshot->estimates = xreallocarray(snapshot->estimates, nr,
					    sizeof(*snapshot->estimates));
	clock_gettime(CLOCK_REALTIME, &now);
	snapshot->time = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void snapshot_read(struct snapshot *snapshot, struct choice *choice)
{
	begin(snapshot, choice);
	for (size_t i = 0; i < choice->places.nr; i++)
		snapshot_read_place(snapshot, choice, i);
}

void snapshot_read_brief(struct snapshot *snapshot, struct choice *choice, size_t nr_files)
{
	begin(snapshot, choice);
	for (size_t i = 0; i < choice->places.nr; i++)
		read_row(snapshot, choice, i, nr_files);
}

void snapshot_read_place(struct snapshot *snapshot, const struct choice *choice, size_t place)
{
	size_t nr_files = choice->nr_files;

	if (choice->nr_cpu_files && choice->places.v[place].scope == SCOPE_CPU)
		nr_files = choice->nr_cpu_files;
	read_row(snapshot, choice, place, nr_files);
}

void snapshot_free(struct snapshot *snapshot)
{
	free(snapshot->v);
	free(snapshot->estimates);
	snapshot->v = NULL;
	snapshot->estimates = NULL;
}

const struct value *snapshot_at(const struct snapshot *snapshot, const struct choice *choice,
				size_t place, size_t column)
{
	return &snapshot->v[place * choice->nr_columns + column];
}

const struct value *snapshot_estimate_at(const struct snapshot *snapshot,
					 const struct choice *choice, size_t place, size_t column)
{
	return &snapshot->estimates[place * choice->nr_columns + column];
}

const struct value *snapshot_bottleneck(const struct snapshot *snapshot,
					const struct choice *choice, size_t place,
					enum bottleneck_part part)
{
	for (size_t i = 0; i < choice->nr_columns; i++)
		if (choice->files[choice->columns[i].file].bottleneck)
			return snapshot_at(snapshot, choice, place, i + part);
	return NULL;
}

const struct value *snapshot_metric(const struct snapshot *snapshot,
				    const struct choice *choice, size_t place, int metric)
{
	int column = choice_column(choice, metric);

	return column < 0 ? NULL : snapshot_at(snapshot, choice, place, column);
}

const struct value *snapshot_estimate(const struct snapshot *snapshot,
				      const struct choice *choice, size_t place, int metric)
{
	int column = choice_column(choice, metric);

	return column < 0 ? NULL : snapshot_estimate_at(snapshot, choice, place, column);
}
