// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Selection of places, groups and metrics to read. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "choice.h"
#include "containers_file.h"
#include "infer.h"
#include "lib/names.h"
#include "lib/suggest.h"
#include "rates.h"
#include "moments_file.h"
#include "source.h"
#include "totals_file.h"

/* Files of a place's directory that are not metric groups. */
static bool is_group(const char *name)
{
	return strcmp(name, "status") && strcmp(name, "quality") && strcmp(name, MOMENTS_FILE) &&
	       strcmp(name, TOTALS_DIRECTORY) && strcmp(name, CONTAINERS_NAME) &&
	       strcmp(name, "spe");
}

/* As source_list_sorted(), the groups of the first place. */
static ssize_t list_groups(struct source *source, const struct choice *choice, char ***names)
{
	size_t kept = 0;
	ssize_t nr;

	*names = NULL;
	if (!choice->places.nr) {
		failure_set(&source->failure, ERR_NO_SUCH_PLACE, "no place is selected");
		return -ENOENT;
	}
	nr = source_list_sorted(source, choice->places.v[0].name, names);
	for (ssize_t i = 0; i < nr; i++) {
		if (is_group((*names)[i]))
			(*names)[kept++] = (*names)[i];
		else
			free((*names)[i]);
	}
	if (nr <= 0)
		return nr;
	(*names)[kept] = NULL;
	return kept;
}

static bool has(char **names, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static struct file *find_file(const struct choice *choice, const char *name)
{
	for (size_t i = 0; i < choice->nr_files; i++)
		if (!strcmp(choice->files[i].name, name))
			return &choice->files[i];
	return NULL;
}

bool choice_has(const struct choice *choice, const char *file)
{
	return find_file(choice, file);
}

/* Return: the index of the group's file, which is added if missing, or -ENOMEM. */
static ssize_t add_file(struct source *source, struct choice *choice, const char *name, bool whole)
{
	int group = catalog_find_group(name);
	struct file *file = find_file(choice, name), *files;
	char *copy;

	if (file) {
		file->whole |= whole;
		return file - choice->files;
	}
	files = reallocarray(choice->files, choice->nr_files + 1, sizeof(*files));
	if (files)
		choice->files = files;
	copy = files ? strdup(name) : NULL;
	if (!copy) {
		failure_no_memory(&source->failure);
		return -ENOMEM;
	}
	files[choice->nr_files] = (struct file) {
		.name = copy,
		.title = group < 0 ? copy : catalog_group(group).name,
		.whole = whole,
		.group = group,
	};
	return choice->nr_files++;
}

struct column column_make(const char *name, size_t file)
{
	int metric = catalog_find_metric(name);
	struct column column = { .file = file, .metric = metric, .unit = "", .short_unit = "-" };

	strcpy(column.name, name);
	if (metric >= 0) {
		struct catalog_metric found = catalog_metric(metric);

		column.unit = found.unit;
		column.short_unit = found.short_unit;
	}
	return column;
}

static bool add_column(struct source *source, struct choice *choice, const char *name, size_t file)
{
	struct column *columns;

	for (size_t i = 0; i < choice->nr_columns; i++)
		if (choice->columns[i].file == file && !strcmp(choice->columns[i].name, name))
			return true;
	columns = reallocarray(choice->columns, choice->nr_columns + 1, sizeof(*columns));
	if (!columns)
		return failure_no_memory(&source->failure);
	choice->columns = columns;
	columns[choice->nr_columns++] = column_make(name, file);
	return true;
}

static bool choose_rate(struct source *source, struct choice *choice, enum rates_column rate)
{
	ssize_t file = add_file(source, choice, RATES_FILE, false);
	struct column *column;

	if (file < 0 || !add_column(source, choice, rates_info[rate].name, file))
		return false;
	choice->files[file].known = true;
	choice->files[file].rates = true;
	column = &choice->columns[choice_rate(choice, rate)];
	column->unit = rates_info[rate].unit;
	column->short_unit = rates_info[rate].short_unit;
	return true;
}

bool choose_rates(struct source *source, struct choice *choice)
{
	for (enum rates_column rate = 0; rate < NR_RATES; rate++)
		if (!choose_rate(source, choice, rate))
			return false;
	return true;
}

bool choose_theirs(struct source *source, struct choice *choice)
{
	ssize_t file = add_file(source, choice, RATES_FILE, false);

	if (file < 0 || !add_column(source, choice, rates_theirs.name, file))
		return false;
	choice->files[file].known = true;
	choice->files[file].rates = true;
	return true;
}

bool choose_known_group(struct source *source, struct choice *choice, const char *name)
{
	int group = catalog_find_group(name);
	ssize_t file;

	if (group < 0)
		return failure_set(&source->failure, ERR_UNKNOWN_GROUP, "no group '%s'", name);
	file = add_file(source, choice, catalog_group(group).file, true);
	if (file < 0)
		return false;
	for (size_t i = 0; i < catalog_group(group).nr_members; i++) {
		int metric = catalog_member(group, i);

		if (!add_column(source, choice, catalog_metric_name(metric), file))
			return false;
	}
	choice->files[file].known = true;
	return true;
}

/* The specification's groups in its order, then all others. */
bool choose_every_group(struct source *source, struct choice *choice)
{
	char **names;
	ssize_t nr = list_groups(source, choice, &names);
	bool ok = nr >= 0;

	for (int i = 0; i < catalog_nr_groups() && ok; i++)
		if (has(names, nr, catalog_group(i).file))
			ok = add_file(source, choice, catalog_group(i).file, true) >= 0;
	for (ssize_t i = 0; i < nr && ok; i++)
		ok = add_file(source, choice, names[i], true) >= 0;
	free_names(names);
	return ok;
}

/* Suggests groups with a similar name, or a metric of that name. Return: false. */
static bool no_group(struct source *source, const struct choice *choice, char **names, size_t nr,
		     const char *name)
{
	struct suggestion suggestion;

	if (catalog_find_group(name) < 0 && catalog_find_short_name(name) >= 0)
		return failure_set(&source->failure, ERR_UNKNOWN_GROUP,
				   "no group '%s'; it is a metric", name);
	suggest_begin(&suggestion, name);
	for (size_t i = 0; i < nr; i++)
		suggest_name(&suggestion, names[i]);
	suggest_name(&suggestion, "all");
	if (suggestion.nr)
		return failure_set(&source->failure, ERR_UNKNOWN_GROUP, "no group '%s'%s", name,
				   suggest_end(&suggestion, ""));
	return failure_set(&source->failure, ERR_UNKNOWN_GROUP, "no group '%s' in %s/%s", name,
			   source->root, choice->places.v[0].name);
}

/* Suggests metrics of these groups, or a group of that name. Return: false. */
static bool no_metric(struct source *source, char **names, size_t nr, const char *name)
{
	struct suggestion suggestion;

	if (catalog_find_short_name(name) < 0 && catalog_find_group(name) >= 0)
		return failure_set(&source->failure, ERR_UNKNOWN_METRIC,
				   "no metric '%s'; it is a group", name);
	suggest_begin(&suggestion, name);
	for (size_t i = 0; i < nr; i++) {
		int group = catalog_find_group(names[i]);

		for (size_t k = 0; group >= 0 && k < catalog_group(group).nr_members; k++) {
			int metric = catalog_member(group, k);

			suggest_name(&suggestion, catalog_metric_name(metric));
			suggest_name(&suggestion, catalog_brief_name(metric));
		}
	}
	return failure_set(&source->failure, ERR_UNKNOWN_METRIC, "no metric '%s'%s", name,
			   suggest_end(&suggestion, ""));
}

static bool choose_all(struct source *source, struct choice *choice)
{
	if (!choose_every_group(source, choice))
		return false;
	return choice->nr_files ||
	       failure_set(&source->failure, ERR_UNKNOWN_GROUP, "no metric group in %s/%s",
			   source->root, choice->places.v[0].name);
}

static bool choose_file(struct source *source, struct choice *choice, const char *file)
{
	char **names;
	ssize_t nr = list_groups(source, choice, &names);
	bool ok = nr >= 0 && (has(names, nr, file) || no_group(source, choice, names, nr, file));

	free_names(names);
	return ok && add_file(source, choice, file, true) >= 0;
}

bool choose_group(struct source *source, struct choice *choice, const char *name)
{
	char *lower = strdup(name);
	bool ok;

	if (!strcasecmp(name, RATES_FILE)) {
		free(lower);
		return choose_rates(source, choice);
	}
	if (!lower)
		return failure_no_memory(&source->failure);
	for (char *c = lower; *c; c++)
		*c = tolower((unsigned char)*c);
	ok = !strcmp(lower, "all") ? choose_all(source, choice) :
				     choose_file(source, choice, lower);
	free(lower);
	return ok;
}

/* *found: whether the file of the first place has a line of that name. */
static bool find_line(struct source *source, const struct choice *choice, const char *file,
		      const char *metric, bool *found)
{
	char path[PATH_MAX];
	char *text;

	snprintf(path, sizeof(path), "%s/%s", choice->places.v[0].name, file);
	if (!source_read(source, path, &text))
		return false;
	if (text && !values_parse(&source->values, text, path, &source->failure))
		return false;
	*found = text && values_find(&source->values, metric);
	return true;
}

/* Finds a metric in the tables, or a line of another name in the files. */
static bool choose_among(struct source *source, struct choice *choice, char **names, size_t nr,
			 const char *name)
{
	int metric = catalog_find_short_name(name);
	const char *spelt = metric < 0 ? name : catalog_metric_name(metric);
	bool found = false;
	ssize_t file;

	for (size_t i = 0; i < nr; i++) {
		int group = catalog_find_group(names[i]);

		/* The tables know the members of their own groups. */
		if (metric >= 0)
			found = group >= 0 && catalog_has_member(group, metric);
		else if (!find_line(source, choice, names[i], spelt, &found))
			return false;
		if (!found)
			continue;
		file = add_file(source, choice, names[i], false);
		return file >= 0 && add_column(source, choice, spelt, file);
	}
	return no_metric(source, names, nr, name);
}

bool choose_metric(struct source *source, struct choice *choice, const char *name)
{
	int rate = rates_find(name);
	char **names;
	ssize_t nr;
	bool ok;

	if (rate >= 0)
		return choose_rate(source, choice, rate);
	nr = list_groups(source, choice, &names);
	ok = nr >= 0 && choose_among(source, choice, names, nr, name);

	free_names(names);
	return ok;
}

size_t choice_nr_files(const struct choice *choice, size_t place)
{
	if (choice->nr_cpu_files && choice->places.v[place].scope == SCOPE_CPU)
		return choice->nr_cpu_files;
	return choice->nr_files;
}

static int find_rate(const struct choice *choice, const char *name)
{
	for (size_t i = 0; i < choice->nr_columns; i++)
		if (!strcmp(choice->columns[i].name, name) &&
		    !strcmp(choice->files[choice->columns[i].file].name, RATES_FILE))
			return (int)i;
	return -1;
}

int choice_rate(const struct choice *choice, enum rates_column rate)
{
	return find_rate(choice, rates_info[rate].name);
}

int choice_theirs(const struct choice *choice)
{
	return find_rate(choice, rates_theirs.name);
}

int choice_column(const struct choice *choice, int metric)
{
	for (size_t i = 0; i < choice->nr_columns; i++)
		if (choice->columns[i].metric == metric)
			return (int)i;
	return -1;
}

void choice_free(struct choice *choice)
{
	for (size_t i = 0; i < choice->nr_files; i++)
		free(choice->files[i].name);
	free(choice->files);
	free(choice->columns);
	places_free(&choice->places);
	*choice = (struct choice) { 0 };
}
