// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat tree --json: the trees of all places, one object per round. */
#include <stdlib.h>

#include "json_parts.h"
#include "lib/json.h"
#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/included.h"
#include "libn3telemetry/answer_read.h"
#include "reader/notices.h"
#include "reader/path_advice.h"
#include "reader/telemetry.h"
#include "tree_causes.h"
#include "tree_json.h"

#define SCHEMA	"n3stat-tree-2"

/* The tree of one place. */
struct tree {
	const struct snapshot *snapshot;
	const struct choice *choice;
	size_t place;
	const char *where;
	struct answer answer;
};

static json_object *values_of(const struct tree *tree, int metric)
{
	static const struct value nothing = { .text = NO_VALUE };
	const struct value *value, *estimate;

	value = snapshot_metric(tree->snapshot, tree->choice, tree->place, metric);
	estimate = snapshot_estimate(tree->snapshot, tree->choice, tree->place, metric);
	estimate = estimate ? estimate : &nothing;
	return json_of_value(value ? value : &nothing, estimate, catalog_metric(metric).unit);
}

/* The nodes below a metric, or those of Topdown_L1 below -1. */
static json_object *nodes_below(const struct tree *tree, int metric, unsigned int depth)
{
	json_object *nodes = json_object_new_array();
	int below[16];
	size_t nr = path_below(metric, below, NR(below));

	for (size_t i = 0; i < nr && depth < PATH_DEPTH; i++) {
		json_object *node = json_object_new_object();
		struct path_share share;

		json_add(node, "metric", json_object_new_string(catalog_metric_name(below[i])));
		json_add(node, "named",
			 json_object_new_boolean(answer_has(&tree->answer, below[i])));
		share = answer_share_at(tree->snapshot, tree->choice, tree->place, below[i]);
		json_add_share(node, below[i], &share);
		json_add(node, "values", values_of(tree, below[i]));
		json_add(node, "below", nodes_below(tree, below[i], depth + 1));
		json_append(nodes, node);
	}
	return nodes;
}

/* A string, which is freed; null for NULL. */
static json_object *taken(char *text)
{
	json_object *string = text ? json_object_new_string(text) : NULL;

	free(text);
	return string;
}

static json_object *ids_of(const char *metric, const struct advice_facts *facts)
{
	json_object *array = json_object_new_array();
	const char *id;

	for (size_t i = 0; (id = advice_id(metric, facts, i)); i++)
		json_append(array, json_object_new_string(id));
	return array;
}

static json_object *advice_of(const struct tree *tree, int metric)
{
	const struct place *place = &tree->choice->places.v[tree->place];
	const char *name = catalog_metric_name(metric);
	struct advice_facts facts = path_facts(place);
	json_object *object;

	facts.where = tree->where;
	if (!advice_exists(name))
		return NULL;
	object = json_object_new_object();
	json_add(object, "means", taken(advice_text(name, ADVICE_MEANS, &facts)));
	json_add(object, "look_at", taken(advice_text(name, ADVICE_LOOK, &facts)));
	json_add(object, "groups", json_of_groups(metric));
	json_add(object, "find_it", taken(path_find_it_text(name, &facts, place)));
	json_add(object, "note", taken(advice_text(name, ADVICE_NOTE, &facts)));
	json_add(object, "ids", ids_of(name, &facts));
	return object;
}

/* Numbers of CPUs by area. */
static json_object *cpus_of(const struct place *place)
{
	json_object *array = json_object_new_array();
	struct infer_counts counts;

	path_count_cpus(&counts, place);
	for (size_t i = 0; i < counts.nr; i++) {
		json_object *object = json_object_new_object();

		json_add(object, "cpus", json_object_new_int64(counts.v[i].cpus));
		json_add(object, "area", json_object_new_string(counts.v[i].name));
		json_append(array, object);
	}
	return array;
}

static json_object *not_chosen(const struct tree *tree)
{
	json_object *array = json_object_new_array();
	int groups[8];
	size_t nr = disabled_groups(tree->snapshot, tree->choice, tree->place, groups, NR(groups));

	for (size_t i = 0; i < nr; i++)
		json_append(array, json_object_new_string(catalog_group(groups[i]).file));
	return array;
}

static json_object *cause_of(const struct tree *tree, int metric)
{
	json_object *object = json_object_new_object();

	json_add(object, "metric", json_object_new_string(catalog_metric_name(metric)));
	json_add(object, "values", values_of(tree, metric));
	return object;
}

static json_object *causes_below(const struct tree *tree, int metric, int group)
{
	json_object *object = json_object_new_object(), *metrics = json_object_new_array();
	bool chosen = choice_has(tree->choice, catalog_group(group).file);

	json_add(object, "of", json_object_new_string(catalog_metric_name(metric)));
	json_add(object, "group", json_object_new_string(catalog_group(group).file));
	json_add(object, "command", chosen ? NULL : taken(causes_command(group)));
	for (int i = 0; chosen && i < catalog_nr_metrics(); i++)
		if (catalog_has_member(group, i))
			json_append(metrics, cause_of(tree, i));
	json_add(object, "metrics", metrics);
	return object;
}

static json_object *causes_of(const struct tree *tree)
{
	json_object *array = json_object_new_array();

	for (int i = 0; i < catalog_nr_metrics(); i++)
		if (path_causes(i) >= 0)
			json_append(array, causes_below(tree, i, path_causes(i)));
	return array;
}

static json_object *tree_of(struct tree *tree)
{
	const struct place *place = &tree->choice->places.v[tree->place];
	json_object *object = json_of_place(place);
	struct included included;
	int metric;

	must(included_of(&telemetry, &included, place));
	json_add_included(object, &included);
	answer_of_snapshot(&tree->answer, tree->snapshot, tree->choice, tree->place);
	metric = answer_metric(&tree->answer, 0);
	json_add_answer(object, &tree->answer);
	json_add(object, "advice", metric < 0 ? NULL : advice_of(tree, metric));
	if (place->scope != SCOPE_CPU)
		json_add(object, "cpus_by_area", cpus_of(place));
	json_add(object, "tree", nodes_below(tree, -1, 0));
	json_add(object, "not_chosen", not_chosen(tree));
	json_add(object, "causes", causes_of(tree));
	return object;
}

void tree_json(const struct snapshot *snapshot, const struct choice *choice, const char *where)
{
	json_object *object = json_of_round(SCHEMA, snapshot->time);
	json_object *places = json_object_new_array();
	struct tree tree = { .snapshot = snapshot, .choice = choice, .where = where };

	for (tree.place = 0; tree.place < choice->places.nr; tree.place++)
		json_append(places, tree_of(&tree));
	json_add(object, "places", places);
	json_print_line(object);
}
