// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Series of containers. */
#include <json-c/linkhash.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "container_series.h"
#include "lib/clock.h"
#include "lib/memory.h"
#include "libn3telemetry/containers_shares.h"
#include "libn3telemetry/errors.h"
#include "libn3telemetry/totals_file.h"
#include "reader/telemetry.h"

#define WALK_SECONDS	10.0
#define SERIES		(CONTAINER_SUMS + 1)	/* of a container */
#define OTHER_SERIES	7

struct container_series *container_series_start(const char *named)
{
	struct container_series *series = xcalloc(1, sizeof(*series));

	must(cgroups_open(&telemetry.failure, &telemetry, named, &series->root));
	return series;
}

void container_series_free(struct container_series *series)
{
	if (!series)
		return;
	container_sums_free(&series->sums);
	cgroups_free(&series->cgroups);
	free(series->root);
	free(series);
}

/* The series stay as they are while the file cannot be read, or the setting is 0. */
static void read_file(struct container_series *series, struct files *files)
{
	const struct failure *failure = &telemetry.failure;
	struct containers_file file;
	bool was_off = series->is_off;

	series->is_off = false;
	if (containers_file_read(&telemetry, &file)) {
		container_sums_take(&series->sums, &file, &series->cgroups);
	} else if (failure->kind == ERR_CONTAINERS_OFF && failure->text) {
		series->is_off = true;
		if (!was_off)
			warn(failure->kind, "%s", failure->text);
	} else {
		files_add_failure(files);
	}
}

static void find_unknown(struct container_series *series, struct files *files, double now)
{
	if (!series->sums.nr_unknown || (series->found && now - series->found < WALK_SECONDS))
		return;
	series->found = now;
	cgroups_free(&series->cgroups);
	if (!cgroups_read(&telemetry.failure, series->root, &series->cgroups))
		files_add_failure(files);
	container_sums_name(&series->sums, &series->cgroups);
}

/* Users choose names of cgroups, and Prometheus refuses all series if one is not UTF-8. */
static char *label_of(const char *path)
{
	char text[4 * PATH_MAX], label[sizeof(text) + PATH_MAX], *to = label;

	cgroup_escape(text, sizeof(text), path);
	for (const char *at = text; *at; *to++ = *at++)
		if (*at == '"' || *at == '\\')
			*to++ = '\\';
	*to = '\0';
	return format_string("cgroup=\"%s\"", label);
}

static void __printf(5, 6) add(struct exposition *exposition, enum family family,
			       const char *labels, const char *place, const char *format, ...)
{
	va_list args;
	char *value;

	va_start(args, format);
	value = format_args(format, args);
	va_end(args);
	exposition_add(exposition, family, labels, place, value);
	free(value);
}

static void add_container(struct exposition *exposition, const struct container *row,
			  const char *path, unsigned int slots)
{
	char *place = label_of(path), event[64];
	const char *key;

	for (size_t i = 0; slots && (key = total_slots_key(i)); i++) {
		snprintf(event, sizeof(event), "event=\"%.*s\"",
			 (int)(strlen(key) - strlen("_total")), key);
		add(exposition, FAMILY_CGROUP_EVENTS, event, place, "%.0f",
		    row->sums[i] * (total_is_in_cycles(i) ? slots : 1));
	}
	add(exposition, FAMILY_CGROUP_SECONDS, "", place, "%.9f", row->sums[CONTAINER_NS] / 1e9);
	add(exposition, FAMILY_CGROUP_PIECES, "", place, "%llu", row->pieces);
	free(place);
}

/* The limit has room for "up", unreadable files and the duration, as collect.c. */
static bool has_room(const struct exposition *exposition, unsigned long max_series)
{
	return exposition->nr + SERIES + OTHER_SERIES + 3 <= max_series;
}

/* Return: the number of containers that the limit leaves out: those that came last. */
static unsigned int add_containers(const struct container_series *series, unsigned int slots,
				   struct exposition *exposition, unsigned long max_series)
{
	struct lh_entry *entry;
	unsigned int left_out = 0;

	if (!series->sums.rows)
		return 0;
	lh_foreach(series->sums.rows, entry) {
		struct container *row = (struct container *)lh_entry_v(entry);

		if (row->pieces < CONTAINERS_PIECES)
			continue;
		row->is_shown = has_room(exposition, max_series);
		if (row->is_shown)
			add_container(exposition, row, lh_entry_k(entry), slots);
		else
			left_out++;
	}
	return left_out;
}

static void add_others(const struct container_series *series, unsigned int left_out,
		       struct exposition *exposition)
{
	const struct containers_file *last = &series->sums.last;

	add(exposition, FAMILY_CGROUP_COVERED, "", "", "%.9f", (double)last->covered_ns / 1e9);
	add(exposition, FAMILY_CGROUP_BUSY, "", "", "%.9f", (double)last->busy_ns / 1e9);
	add(exposition, FAMILY_CGROUP_DROPPED, "", "", "%llu", last->dropped);
	add(exposition, FAMILY_CGROUP_EVICTED, "", "", "%llu", last->evicted);
	add(exposition, FAMILY_CGROUP_OTHER, "reason=\"full\"", "", "%llu", last->other);
	add(exposition, FAMILY_CGROUP_OTHER, "reason=\"removed\"", "", "%llu",
	    series->sums.removed);
	add(exposition, FAMILY_CGROUPS_LEFT_OUT, "", "", "%u", left_out);
}

void container_series_add(struct container_series *series, struct files *files,
			  struct exposition *exposition, unsigned long max_series)
{
	double now = monotonic_now();
	unsigned int left_out;
	const char *spec;

	if (files->failed)
		return;
	read_file(series, files);
	find_unknown(series, files, now);
	container_sums_expire(&series->sums, series->root, now);
	if (!series->sums.has_base)
		return;
	spec = files_read(files, "", "spec", FORMAT_VALUES);
	left_out = add_containers(series, spec ? total_slots_per_cycle(spec) : 0, exposition,
				  max_series);
	add_others(series, left_out, exposition);
}
