// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Output for programs: one JSON object per interval, one line each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "json.h"
#include "other_core.h"
#include "path_read.h"
#include "simulated.h"
#include "source.h"
#include "view_json.h"

#define SCHEMA	"n3stat-1"

static json_object *string_of(const char *text)
{
	return json_object_new_string(text);
}

/* Leading zeros are no JSON; the module writes none, a copy may hold any. */
static json_object *number_of(const struct value *value)
{
	const char *digits = value->text + (value->text[0] == '-');

	if (digits[0] == '0' && digits[1] && digits[1] != '.')
		return json_object_new_double(value->number);
	return json_object_new_double_s(value->number, value->text);
}

/* Rounded as the module writes it, not as binary numbers print. */
static json_object *decimal(double number, int decimals)
{
	char text[400];

	snprintf(text, sizeof(text), "%.*f", decimals, number);
	return json_object_new_double_s(number, text);
}

static void add_range(json_object *object, const struct value *value, const char *low,
		      const char *high)
{
	if (!value->has_range)
		return;
	json_add(object, low, decimal(value->low, 6));
	json_add(object, high, decimal(value->high, 6));
}

static json_object *object_of_value(const struct value *value, const struct value *estimate,
				    const char *unit)
{
	json_object *object = json_object_new_object();

	json_add(object, "value", value->is_number ? number_of(value) : NULL);
	if (!value->is_number)
		json_add(object, "word", string_of(value->text));
	if (*unit)
		json_add(object, "unit", string_of(unit));
	add_range(object, value, "low", "high");
	json_add(object, "estimate", estimate->is_number ? number_of(estimate) : NULL);
	add_range(object, estimate, "estimate_low", "estimate_high");
	if (value->has_coverage) {
		json_add(object, "coverage", decimal(value->coverage, 2));
		json_add(object, "slices", json_object_new_int64((long long)value->slices));
	}
	return object;
}

static json_object *object_at(const struct snapshot *snapshot, const struct choice *choice,
			      size_t place, size_t column)
{
	return object_of_value(snapshot_at(snapshot, choice, place, column),
			       snapshot_estimate_at(snapshot, choice, place, column),
			       choice->columns[column].unit);
}

static json_object *object_of_groups(const struct snapshot *snapshot, const struct choice *choice,
				     size_t place)
{
	json_object *groups = json_object_new_object();

	for (size_t file = 0; file < choice->nr_files; file++) {
		json_object *group;

		if (choice->files[file].bottleneck)
			continue;
		group = json_object_new_object();
		for (size_t i = 0; i < choice->nr_columns; i++)
			if (choice->columns[i].file == file)
				json_add(group, choice->columns[i].name,
					 object_at(snapshot, choice, place, i));
		json_add(groups, choice->files[file].name, group);
	}
	return groups;
}

static json_object *object_of_path(const struct path *path)
{
	json_object *object = json_object_new_object();
	json_object *metrics = json_object_new_array();
	json_object *undecided = json_object_new_array();
	json_object *look_at = json_object_new_array();

	for (size_t i = 0; i < path->nr; i++)
		json_append(metrics, string_of(catalog_metric_name(path->metrics[i])));
	for (size_t i = 0; i < 2 && path->undecided[i] >= 0; i++)
		json_append(undecided, string_of(catalog_metric_name(path->undecided[i])));
	for (size_t i = 0; i < path->nr_look_at; i++)
		json_append(look_at, string_of(catalog_group(path->look_at[i]).file));
	json_add(object, "path", metrics);
	json_add(object, "undetermined", undecided);
	json_add(object, "look_at", look_at);
	return object;
}

static void add_percent(json_object *object, const char *key, bool known, double percent)
{
	json_add(object, key, known ? decimal(percent, 1) : NULL);
}

static void add_utilisation(json_object *object, const struct view *view, size_t place)
{
	const struct who_share *share = view->who ? &view->who->shares[place] : NULL;
	const struct utilisation *all;

	if (!share && !view->busy)
		return;
	all = share ? &share->all : &view->busy[place];
	add_percent(object, "busy", all->known, all->busy);
	if (share) {
		add_percent(object, "theirs", true, share->theirs);
		add_percent(object, "others", all->known, share->others);
		add_percent(object, "doubt", true, share->doubt);
	}
	add_percent(object, "idle", all->known, all->idle);
	add_percent(object, "steal", all->known, all->steal);
}

static json_object *object_of_place(const struct view *view, size_t place)
{
	const struct snapshot *snapshot = view->snapshot;
	const struct choice *choice = view->choice;
	static const char * const kinds[] = {
		[SCOPE_CPU] = "cpu",
		[SCOPE_NODE] = "node",
		[SCOPE_SYSTEM] = "system",
	};
	const struct place *p = &choice->places.v[place];
	json_object *object = json_object_new_object();
	struct path path;

	json_add(object, "place", string_of(p->name));
	json_add(object, "kind", string_of(kinds[p->scope]));
	if (p->scope != SCOPE_SYSTEM)
		json_add(object, "id", json_object_new_int64(p->id));
	add_utilisation(object, view, place);
	json_add(object, "groups", object_of_groups(snapshot, choice, place));
	if (snapshot_metric(snapshot, choice, place, catalog_find_metric("backend_mem_bound")) &&
	    snapshot_metric(snapshot, choice, place, catalog_find_metric("retiring"))) {
		path_of_snapshot(&path, snapshot, choice, place);
		json_add(object, "bottleneck", object_of_path(&path));
	}
	return object;
}

static void add_window(json_object *object)
{
	const char *text;
	char *end;
	long ms;

	if (source_read("window_ms", &text) <= 0)
		return;
	ms = strtol(text, &end, 10);
	if (end != text && (*end == '\n' || !*end))
		json_add(object, "window_ms", json_object_new_int64(ms));
}

static json_object *strings_of(const char * const *texts, size_t nr)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < nr; i++) {
		char *text = xstrdup(texts[i]);

		plain_text(text);
		json_append(array, string_of(text));
		free(text);
	}
	return array;
}

static json_object *object_of_who(const struct who *who)
{
	const struct who_names *names = who->set.names;
	json_object *object = json_object_new_object();

	json_add(object, "pid", strings_of(names->pids, names->nr_pids));
	json_add(object, "comm", strings_of(names->comms, names->nr_comms));
	json_add(object, "cgroup", strings_of(names->cgroups, names->nr_cgroups));
	json_add(object, "processes", json_object_new_int64((long long)who_set_count(&who->set)));
	json_add(object, "threads", json_object_new_int64((long long)who->nr_threads));
	json_add(object, "seconds", decimal(who_seconds(who), 3));
	json_add(object, "ran", decimal((double)who->ran / 1e9, 3));
	json_add(object, "waited", decimal((double)who->waited / 1e9, 3));
	json_add(object, "doubt", decimal((double)who->doubt / 1e9, 3));
	json_add(object, "moves", json_object_new_int64((long long)who->moves));
	json_add(object, "samples", json_object_new_int64((long long)who->samples));
	return object;
}

static json_object *object_of_view(const struct view *view)
{
	json_object *object = json_object_new_object();
	json_object *places = json_object_new_array();

	json_add(object, "schema", string_of(SCHEMA));
	json_add(object, "time", decimal(view->snapshot->time, 3));
	json_add(object, "simulated", json_object_new_boolean(simulated()));
	add_window(object);
	if (other_core())
		json_add(object, "core", string_of(other_core()));
	if (view->who)
		json_add(object, "who", object_of_who(view->who));
	for (size_t i = 0; i < view->choice->places.nr; i++)
		json_append(places, object_of_place(view, view->order[i]));
	json_add(object, "places", places);
	return object;
}

void view_json(const struct view *view)
{
	json_object *object = object_of_view(view);

	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
					    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}
