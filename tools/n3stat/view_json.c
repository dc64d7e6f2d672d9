// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Output for programs: one JSON object per interval, one line each. */
#include "json.h"
#include "json_parts.h"
#include "path_read.h"
#include "view_json.h"

#define SCHEMA	"n3stat-1"

static json_object *object_at(const struct snapshot *snapshot, const struct choice *choice,
			      size_t place, size_t column)
{
	const struct value *estimate = snapshot_estimate_at(snapshot, choice, place, column);
	const struct column *of = &choice->columns[column];
	json_object *object;

	object = json_of_value(snapshot_at(snapshot, choice, place, column), estimate, of->unit);
	json_add_baseline(object, choice->places.v[place].scope, of->name, estimate);
	return object;
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

static json_object *object_of_place(const struct snapshot *snapshot, const struct choice *choice,
				    size_t place)
{
	json_object *object = json_of_place(&choice->places.v[place]);
	struct path path;

	json_add(object, "groups", object_of_groups(snapshot, choice, place));
	if (snapshot_metric(snapshot, choice, place, catalog_find_metric("backend_mem_bound")) &&
	    snapshot_metric(snapshot, choice, place, catalog_find_metric("retiring"))) {
		path_of_snapshot(&path, snapshot, choice, place);
		json_add(object, "bottleneck", json_of_path(&path));
	}
	return object;
}

static json_object *object_of_snapshot(const struct snapshot *snapshot, const struct choice *choice,
				       const size_t *order)
{
	json_object *object = json_of_round(SCHEMA, snapshot->time);
	json_object *places = json_object_new_array();

	for (size_t i = 0; i < choice->places.nr; i++)
		json_append(places, object_of_place(snapshot, choice, order[i]));
	json_add(object, "places", places);
	return object;
}

void view_json(const struct view *view)
{
	json_print_line(object_of_snapshot(view->snapshot, view->choice, view->order));
}
