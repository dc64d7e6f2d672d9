// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Rows of n3stat containers. */
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "containers_rows.h"
#include "lib/memory.h"
#include "reader/telemetry.h"

/* The row without a path is the last. */
static int compare_paths(const void *a, const void *b)
{
	const struct containers_row *first = a, *second = b;

	if (!first->path || !second->path)
		return !first->path - !second->path;
	return strcmp(first->path, second->path);
}

/* The row that a directory belongs to, new if there is none; NULL: removed. */
static struct containers_row *row_of(struct containers_rows *rows, const char *path)
{
	struct containers_row key = { 0 }, **found;

	if (path) {
		key.path = xstrdup(path);
		key.path[cgroup_row(path)] = '\0';
	}
	found = tfind(&key, &rows->by_path, compare_paths);
	if (found) {
		free(key.path);
		return *found;
	}
	rows->sorted = xgrow(rows->sorted, rows->nr, &rows->max, sizeof(*rows->sorted));
	rows->sorted[rows->nr] = xcalloc(1, sizeof(key));
	*rows->sorted[rows->nr] = key;
	if (!tsearch(rows->sorted[rows->nr], &rows->by_path, compare_paths))
		out_of_memory();
	return rows->sorted[rows->nr++];
}

/* The row of the directory above one, NULL for the root. */
static struct containers_row *row_above(struct containers_rows *rows, const char *path)
{
	size_t len = strrchr(path, '/') - path;
	struct containers_row *row;
	char *above;

	if (!path[1])
		return NULL;
	above = format_string("%.*s", len ? (int)len : 1, path);
	row = row_of(rows, above);
	free(above);
	return row;
}

/* CPU time of a row's directory. One that is new, perhaps again, began at 0. */
static void add_time(struct containers_rows *rows, const struct cgroup *cgroup)
{
	struct containers_row *row, *above;
	unsigned long long usec, passed;

	if (cgroup_row(cgroup->path) != strlen(cgroup->path) ||
	    !cgroup_time(rows->root, cgroup->path, &usec))
		return;
	row = row_of(rows, cgroup->path);
	passed = row->id == cgroup->id ? usec - row->last : usec;
	/* The root's is that of ticks, which may be corrected. */
	if (passed > usec)
		passed = 0;
	row->has_time = true;
	row->id = cgroup->id;
	row->last = usec;
	if (!rows->nr_read)
		return;
	row->usec += passed;
	above = row_above(rows, cgroup->path);
	if (above)
		above->below += passed;
}

/* Of directories that were removed since the reading before, @before still has the path. */
static void add_record(struct containers_rows *rows, const struct cgroups *before,
		       const struct containers_record *record)
{
	const struct containers_sums growth = containers_growth(&rows->file, record);
	const struct cgroup *cgroup = cgroups_find(&rows->cgroups, record->id);
	struct containers_row *row;

	if (!growth.pieces)
		return;
	if (!cgroup)
		cgroup = cgroups_find(before, record->id);
	row = row_of(rows, cgroup ? cgroup->path : NULL);
	containers_add(&row->parts[rows->nr_read - 1], &growth);
	row->pieces += growth.pieces;
}

void containers_rows_read(struct containers_rows *rows)
{
	struct cgroups before = rows->cgroups;
	struct containers_file file;

	/* Cgroups of records exist before the directories are read, unless removed. */
	must(containers_file_read(&telemetry, &file));
	must(cgroups_read(&telemetry.failure, rows->root, &rows->cgroups));
	rows->cut_off |= rows->cgroups.cut_off;
	if (!rows->nr_read)
		rows->first = file;
	for (size_t i = 0; i < file.nr && rows->nr_read; i++)
		add_record(rows, &before, &file.v[i]);
	for (size_t i = 0; i < rows->cgroups.nr; i++)
		add_time(rows, &rows->cgroups.v[i]);
	rows->nr_read++;
	cgroups_free(&before);
	containers_file_free(&rows->file);
	rows->file = file;
}

static void compute(struct containers_row *row, const struct containers_values *machine)
{
	const struct value *retiring;

	if (row->path)
		cgroup_name(row->name, row->path);
	else
		strcpy(row->name, CGROUP_REMOVED);
	containers_find(&row->values, machine, row->parts);
	retiring = containers_value(&row->values, catalog_find_metric("retiring"));
	row->seconds = NAN;
	if (row->has_time)
		row->seconds = row->usec > row->below ? (double)(row->usec - row->below) / 1e6 : 0;
	row->lost = retiring->is_number ? row->seconds * (1 - retiring->number / 100) : NAN;
}

/* Return: as compare(), the larger first, NAN last. */
static int compare_numbers(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) - isnan(b);
	return a < b ? 1 : a > b ? -1 : 0;
}

static int compare(const void *a, const void *b)
{
	const struct containers_row *first = *(struct containers_row * const *)a;
	const struct containers_row *second = *(struct containers_row * const *)b;
	int order = compare_numbers(first->lost, second->lost);

	if (!order)
		order = compare_numbers(first->seconds, second->seconds);
	return order ? order : compare_paths(first, second);
}

static void free_row(struct containers_row *row)
{
	free(row->path);
	free(row);
}

static void no_free(void *row)
{
	(void)row;
}

void containers_rows_end(struct containers_rows *rows)
{
	struct containers_values machine;
	size_t nr = 0;

	must(containers_machine(&telemetry, &machine));
	tdestroy(rows->by_path, no_free);
	rows->by_path = NULL;
	for (size_t i = 0; i < rows->nr; i++) {
		struct containers_row *row = rows->sorted[i];

		if (!row->pieces) {
			free_row(row);
			continue;
		}
		compute(row, &machine);
		rows->sorted[nr++] = row;
	}
	rows->nr = nr;
	if (nr)
		qsort(rows->sorted, nr, sizeof(*rows->sorted), compare);
}

void containers_rows_free(struct containers_rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++)
		free_row(rows->sorted[i]);
	free(rows->sorted);
	cgroups_free(&rows->cgroups);
	containers_file_free(&rows->file);
}
