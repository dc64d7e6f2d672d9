// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Sums of containers since the program started. */
#include <json-c/linkhash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container_sums.h"
#include "lib/disk.h"
#include "lib/memory.h"

#define END_SECONDS	300.0
#define INITIAL_SIZE	64	/* of the table, which grows */

struct container_growth {
	unsigned long long id;
	struct containers_sums sums;
};

static void free_row(struct lh_entry *entry)
{
	free(lh_entry_k(entry));
	free((void *)lh_entry_v(entry));
}

static struct container *find_row(struct container_sums *sums, const char *path)
{
	char *row = format_string("%.*s", (int)cgroup_row(path), path);
	void *found = NULL;

	if (!sums->rows)
		sums->rows = lh_kchar_table_new(INITIAL_SIZE, free_row);
	if (!sums->rows)
		out_of_memory();
	if (lh_table_lookup_ex(sums->rows, row, &found)) {
		free(row);
		return found;
	}
	found = xcalloc(1, sizeof(struct container));
	if (lh_table_insert(sums->rows, row, found))
		out_of_memory();
	return found;
}

static void add_to_row(struct container *row, const struct containers_sums *growth)
{
	row->pieces += growth->pieces;
	row->sums[CONTAINER_CYCLES] += (double)growth->cycles;
	for (size_t i = 0; i < CONTAINERS_COUNTS; i++)
		row->sums[CONTAINER_CYCLES + 1 + i] += (double)growth->counts[i];
	row->sums[CONTAINER_NS] += (double)growth->time_ns;
}

static void add_unknown(struct container_sums *sums, unsigned long long id,
			const struct containers_sums *growth)
{
	size_t i = 0;

	while (i < sums->nr_unknown && sums->unknown[i].id != id)
		i++;
	if (i == sums->nr_unknown) {
		sums->unknown = xgrow(sums->unknown, i, &sums->max_unknown,
				      sizeof(*sums->unknown));
		sums->unknown[sums->nr_unknown++] = (struct container_growth) { .id = id };
	}
	containers_add(&sums->unknown[i].sums, growth);
}

void container_sums_take(struct container_sums *sums, struct containers_file *file,
			 const struct cgroups *known)
{
	for (size_t i = 0; sums->has_base && i < file->nr; i++) {
		struct containers_sums growth = containers_growth(&sums->last, &file->v[i]);
		const struct cgroup *cgroup = cgroups_find(known, file->v[i].id);

		if (!growth.pieces)
			continue;
		if (cgroup)
			add_to_row(find_row(sums, cgroup->path), &growth);
		else
			add_unknown(sums, file->v[i].id, &growth);
	}
	containers_file_free(&sums->last);
	sums->last = *file;
	sums->has_base = true;
}

void container_sums_name(struct container_sums *sums, const struct cgroups *cgroups)
{
	for (size_t i = 0; i < sums->nr_unknown; i++) {
		const struct container_growth *growth = &sums->unknown[i];
		const struct cgroup *cgroup = cgroups_find(cgroups, growth->id);

		if (cgroup)
			add_to_row(find_row(sums, cgroup->path), &growth->sums);
		else
			sums->removed += growth->sums.pieces;
	}
	sums->nr_unknown = 0;
}

/* A unit that is started again has the same directory. */
static bool is_over(struct container *row, const char *root, const char *path, double now)
{
	char *directory = format_string("%s%s", root, path);

	if (!disk_find_directory(directory))
		row->gone = 0;
	else if (!row->gone)
		row->gone = now;
	free(directory);
	return row->gone && (!row->is_shown || now - row->gone >= END_SECONDS);
}

void container_sums_expire(struct container_sums *sums, const char *root, double now)
{
	struct lh_entry *entry, *next;

	if (!sums->rows)
		return;
	lh_foreach_safe(sums->rows, entry, next) {
		struct container *row = (struct container *)lh_entry_v(entry);

		if (!is_over(row, root, lh_entry_k(entry), now))
			continue;
		if (!row->is_shown)
			sums->removed += row->pieces;
		lh_table_delete_entry(sums->rows, entry);
	}
}

void container_sums_free(struct container_sums *sums)
{
	containers_file_free(&sums->last);
	free(sums->unknown);
	if (sums->rows)
		lh_table_free(sums->rows);
	*sums = (struct container_sums) { 0 };
}
