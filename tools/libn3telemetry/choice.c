// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Selection of places, groups and metrics to read. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bottleneck_file.h"
#include "catalog.h"
#include "choice.h"
#include "lib/util.h"
#include "errors.h"
#include "source.h"
#include "suggest.h"

/* Files of a place's directory that are not metric groups. */
static bool is_group(const char *name)
{
	return strcmp(name, "status") && strcmp(name, BOTTLENECK_FILE) &&
	       strcmp(name, "quality") && strcmp(name, "spe");
}

/* Return: the number of groups of the first place, and their names. */
static size_t list_groups(const struct choice *choice, char ***names)
{
	size_t nr = source_list(choice->places.v[0].name, names);
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++) {
		if (is_group((*names)[i]))
			(*names)[kept++] = (*names)[i];
		else
			free((*names)[i]);
	}
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

/* Return: the index of the group's file, which is added if missing. */
static size_t add_file(struct choice *choice, const char *name, bool whole)
{
	int group = catalog_find_group(name);
	struct file *file;

	for (size_t i = 0; i < choice->nr_files; i++) {
		if (!strcmp(choice->files[i].name, name)) {
			choice->files[i].whole |= whole;
			return i;
		}
	}
	choice->files = xreallocarray(choice->files, choice->nr_files + 1, sizeof(*choice->files));
	file = &choice->files[choice->nr_files];
	*file = (struct file) { .name = xstrdup(name), .whole = whole, .group = group };
	file->title = group < 0 ? file->name : catalog_group(group).name;
	return choice->nr_files++;
}

static void add_column(struct choice *choice, const char *name, size_t file)
{
	int metric = catalog_find_metric(name);
	struct column *column;

	for (size_t i = 0; i < choice->nr_columns; i++)
		if (choice->columns[i].file == file && !strcmp(choice->columns[i].name, name))
			return;
	choice->columns = xreallocarray(choice->columns, choice->nr_columns + 1,
					sizeof(*choice->columns));
	column = &choice->columns[choice->nr_columns++];
	memset(column, 0, sizeof(*column));
	strcpy(column->name, name);
	column->file = file;
	column->metric = metric;
	column->unit = metric < 0 ? "" : catalog_metric(metric).unit;
	column->short_unit = metric < 0 ? "-" : catalog_metric(metric).short_unit;
}

static char *lower_case(const char *name)
{
	char *lower = xstrdup(name);

	for (char *c = lower; *c; c++)
		*c = tolower((unsigned char)*c);
	return lower;
}

void choose_known_group(struct choice *choice, const char *name)
{
	int group = catalog_find_group(name);
	size_t file = add_file(choice, catalog_group(group).file, true);

	for (size_t i = 0; i < catalog_group(group).nr_members; i++)
		add_column(choice, catalog_metric_name(catalog_member(group, i)), file);
	choice->files[file].known = true;
}

void choose_bottleneck(struct choice *choice)
{
	bool there = false;
	char **names;
	size_t nr, file;

	for (size_t i = 0; i < choice->places.nr && !there; i++) {
		nr = source_list(choice->places.v[i].name, &names);
		there = has(names, nr, BOTTLENECK_FILE);
		free_names(names);
	}
	if (!there)
		return;
	file = add_file(choice, BOTTLENECK_FILE, true);
	for (enum bottleneck_part part = 0; part < BOTTLENECK_NR_PARTS; part++)
		add_column(choice, bottleneck_names[part], file);
	choice->files[file].known = true;
	choice->files[file].bottleneck = true;
}

bool choice_has(const struct choice *choice, const char *file)
{
	for (size_t i = 0; i < choice->nr_files; i++)
		if (!strcmp(choice->files[i].name, file))
			return true;
	return false;
}

/* The specification's groups in its order, then all others. */
void choose_every_group(struct choice *choice)
{
	char **names;
	size_t nr = list_groups(choice, &names);

	for (int i = 0; i < catalog_nr_groups(); i++)
		if (has(names, nr, catalog_group(i).file))
			add_file(choice, catalog_group(i).file, true);
	for (size_t i = 0; i < nr; i++)
		add_file(choice, names[i], true);
	free_names(names);
}

/* Suggests groups with a similar name, or a metric of that name; the caller frees it. */
static char *group_hint(const struct choice *choice, char **names, size_t nr, const char *name)
{
	struct suggestion suggestion;
	char *otherwise, *hint;

	if (catalog_find_group(name) < 0 && catalog_find_short_name(name) >= 0)
		return format_string("; it is a metric: write -m %s", name);
	suggest_begin(&suggestion, name);
	for (size_t i = 0; i < nr; i++)
		suggest_name(&suggestion, names[i]);
	suggest_name(&suggestion, "all");
	otherwise = format_string("see the files in %s/%s, or: n3stat list groups",
				  source_info().name, choice->places.v[0].name);
	hint = suggest_end(&suggestion, otherwise);
	free(otherwise);
	return hint;
}

/* Suggests metrics of these groups; the caller frees it. */
static char *metric_hint(char **names, size_t nr, const char *name)
{
	struct suggestion suggestion;

	if (catalog_find_short_name(name) < 0 && catalog_find_group(name) >= 0)
		return format_string("; it is a group: write -g %s", name);
	suggest_begin(&suggestion, name);
	for (size_t i = 0; i < nr; i++) {
		int group = catalog_find_group(names[i]);

		for (size_t k = 0; group >= 0 && k < catalog_group(group).nr_members; k++) {
			int metric = catalog_member(group, k);

			suggest_name(&suggestion, catalog_metric_name(metric));
			suggest_name(&suggestion, catalog_brief_name(metric));
		}
	}
	return suggest_end(&suggestion, "see n3stat list metrics");
}

void choose_group(struct choice *choice, const char *name)
{
	const char *place = choice->places.v[0].name;
	char *file = lower_case(name);
	char **names;
	size_t nr;

	if (!strcmp(file, "all")) {
		free(file);
		choose_every_group(choice);
		if (!choice->nr_files)
			die(ERR_UNKNOWN_GROUP,
			    "no metric group in %s/%s", source_info().name, place);
		return;
	}
	nr = list_groups(choice, &names);
	if (!has(names, nr, file))
		die(ERR_UNKNOWN_GROUP,
		    "no group '%s'%s", file, group_hint(choice, names, nr, file));
	free_names(names);
	add_file(choice, file, true);
	free(file);
}

/* Return: whether the file of the first place has a line of that name. */
static bool file_has(const struct choice *choice, const char *file, const char *metric)
{
	static struct values values;
	const char *text;
	char *path = format_string("%s/%s", choice->places.v[0].name, file);
	bool found = false;

	if (source_read(path, &text) >= 0) {
		values_parse(&values, text, path);
		found = values_find(&values, metric);
	}
	free(path);
	return found;
}

void choose_metric(struct choice *choice, const char *name)
{
	int metric = catalog_find_short_name(name);
	const char *spelt = metric < 0 ? name : catalog_metric_name(metric);
	char **names;
	size_t nr = list_groups(choice, &names);
	bool found = false;

	for (size_t i = 0; i < nr && !found; i++) {
		int group = catalog_find_group(names[i]);

		/* The tables know the members of their own groups. */
		if (metric >= 0 && (group < 0 || !catalog_has_member(group, metric)))
			continue;
		found = metric >= 0 || file_has(choice, names[i], spelt);
		if (found)
			add_column(choice, spelt, add_file(choice, names[i], false));
	}
	if (!found)
		die(ERR_UNKNOWN_METRIC, "no metric '%s'%s", name, metric_hint(names, nr, name));
	free_names(names);
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
