// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reader of all selected values at one time. */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "infer.h"
#include "lib/clock.h"
#include "snapshot.h"

static bool parse(struct source *source, char *text, const char *path)
{
	return !text || values_parse(&source->values, text, path, &source->failure);
}

static bool read_path(struct source *source, const char *path)
{
	char *text;

	return source_read(source, path, &text) && parse(source, text, path);
}

/* Reads the values of a place's group: none if the file does not exist, as a CPU may vanish. */
static bool read_file(struct source *source, const struct choice *choice, size_t place, size_t file)
{
	const char *directory = choice->places.v[place].name;
	const char *name = choice->files[file].name;
	char path[PATH_MAX], *text;

	source->values.nr = 0;
	if (choice->files[file].rates)
		return true;
	if (choice->quality) {
		if (!infer_file(source, &choice->places.v[place], name, &text) ||
		    !parse(source, text, name))
			return false;
		if (text)
			return true;
		snprintf(path, sizeof(path), "%s/quality/%s", directory, name);
		if (!read_path(source, path))
			return false;
		if (source->values.nr)
			return true;
	}
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return read_path(source, path);
}

/* The columns of a whole file are those of the first readable one. */
static bool discover_columns(struct choice *choice, size_t file, const struct values *values)
{
	size_t at = choice->nr_columns;
	struct column *columns;

	while (at > 0 && choice->columns[at - 1].file > file)
		at--;
	/* They include the ones selected individually. */
	while (at > 0 && choice->columns[at - 1].file == file) {
		at--;
		memmove(&choice->columns[at], &choice->columns[at + 1],
			(--choice->nr_columns - at) * sizeof(*choice->columns));
	}
	columns = reallocarray(choice->columns, choice->nr_columns + values->nr, sizeof(*columns));
	if (!columns)
		return false;
	memmove(&columns[at + values->nr], &columns[at],
		(choice->nr_columns - at) * sizeof(*columns));
	for (size_t i = 0; i < values->nr; i++)
		columns[at + i] = column_make(values->v[i].name, file);
	choice->columns = columns;
	choice->nr_columns += values->nr;
	choice->files[file].known = true;
	return true;
}

static bool discover_file(struct source *source, struct choice *choice, size_t file)
{
	const struct values *values = &source->values;
	bool found = false;

	for (size_t place = 0; place < choice->places.nr && !found; place++) {
		if (!read_file(source, choice, place, file))
			return false;
		found = values->nr && !values->word;
	}
	/* Fall back to the words. */
	for (size_t place = 0; place < choice->places.nr && !found; place++) {
		if (!read_file(source, choice, place, file))
			return false;
		found = values->nr;
	}
	if (!found)
		return failure_set(&source->failure, ERR_MALFORMED_FILE, "%s/%s/%s: holds no value",
				   source->root, choice->places.v[0].name,
				   choice->files[file].name);
	return discover_columns(choice, file, values) || failure_no_memory(&source->failure);
}

/* Columns must be known before the first value is stored. */
static bool discover(struct source *source, struct choice *choice)
{
	for (size_t file = 0; file < choice->nr_files; file++)
		if (choice->files[file].whole && !choice->files[file].known &&
		    !discover_file(source, choice, file))
			return false;
	return true;
}

static void put(struct snapshot *snapshot, size_t at, const struct named_value *found)
{
	snapshot->v[at] = found->value;
	snapshot->estimates[at] = found->estimate;
}

static bool read_row(struct source *source, struct snapshot *snapshot, const struct choice *choice,
		     size_t place, size_t nr_files)
{
	const struct value none = value_of_text(NO_VALUE);
	const struct named_value nothing = { .value = none, .estimate = none };
	const struct values *values = &source->values;
	size_t row = place * choice->nr_columns;
	const struct named_value *found;

	for (size_t i = 0; i < choice->nr_columns; i++)
		put(snapshot, row + i, &nothing);
	for (size_t file = 0; file < nr_files; file++) {
		if (!read_file(source, choice, place, file))
			return false;
		for (size_t i = 0; i < choice->nr_columns && values->nr; i++) {
			if (choice->columns[i].file != file)
				continue;
			found = values->word ? &values->v[0] :
				values_find(values, choice->columns[i].name);
			if (found)
				put(snapshot, row + i, found);
		}
	}
	return true;
}

/* Return: false if out of memory. */
static bool grow(struct value **values, size_t nr)
{
	/* Size 0 would free the array. */
	struct value *v = reallocarray(*values, nr ? nr : 1, sizeof(*v));

	if (!v)
		return false;
	*values = v;
	return true;
}

static bool expect(struct source *source, const struct choice *choice)
{
	for (size_t i = 0; i < choice->nr_files; i++)
		if (choice->quality && !infer_expect(source, choice->files[i].name))
			return false;
	return true;
}

static bool begin(struct source *source, struct snapshot *snapshot, struct choice *choice)
{
	size_t nr;

	if (!expect(source, choice) || !discover(source, choice))
		return false;
	nr = choice->places.nr * choice->nr_columns;
	if (!grow(&snapshot->v, nr) || !grow(&snapshot->estimates, nr))
		return failure_no_memory(&source->failure);
	snapshot->time = unix_now();
	return true;
}

static bool read_all(struct source *source, struct snapshot *snapshot, struct choice *choice,
		     size_t most_files)
{
	bool ok = begin(source, snapshot, choice);

	for (size_t i = 0; i < choice->places.nr && ok; i++) {
		size_t nr_files = choice_nr_files(choice, i);

		ok = read_row(source, snapshot, choice, i,
			      nr_files < most_files ? nr_files : most_files);
	}
	if (!ok)
		snapshot_free(snapshot);
	return ok;
}

bool snapshot_read(struct source *source, struct snapshot *snapshot, struct choice *choice)
{
	infer_forget(source);
	return read_all(source, snapshot, choice, SIZE_MAX);
}

bool snapshot_read_brief(struct source *source, struct snapshot *snapshot, struct choice *choice,
			 size_t nr_files)
{
	infer_forget(source);
	return read_all(source, snapshot, choice, nr_files);
}

bool snapshot_read_place(struct source *source, struct snapshot *snapshot,
			 const struct choice *choice, size_t place)
{
	return read_row(source, snapshot, choice, place, choice_nr_files(choice, place));
}

void snapshot_set_rates(struct snapshot *snapshot, const struct choice *choice, size_t place,
			double busy, const struct rates *rates)
{
	const double numbers[NR_RATES] = {
		[RATES_BUSY] = busy,
		[RATES_GHZ] = rates->ghz,
		[RATES_GIPS] = rates->instructions / 1e9,
	};

	for (enum rates_column rate = 0; rate < NR_RATES; rate++) {
		int column = choice_rate(choice, rate);
		struct named_value found;

		if (column < 0)
			continue;
		found.value = rates_value(rate, numbers[rate]);
		found.estimate = found.value;
		put(snapshot, place * choice->nr_columns + (size_t)column, &found);
	}
}

void snapshot_free(struct snapshot *snapshot)
{
	free(snapshot->v);
	free(snapshot->estimates);
	*snapshot = (struct snapshot) { 0 };
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
