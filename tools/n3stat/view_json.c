// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* JSON view: one object per interval, one per line. */
#include <stdlib.h>

#include "json_parts.h"
#include "lib/json.h"
#include "lib/text.h"
#include "libn3telemetry/answer_read.h"
#include "view.h"

#define SCHEMA	"n3stat-2"

static json_object *object_at(const struct view *view, size_t place, size_t column)
{
	const struct snapshot *snapshot = view->snapshot;
	const struct choice *choice = view->choice;
	const struct value *estimate = snapshot_estimate_at(snapshot, choice, place, column);
	const struct column *chosen = &choice->columns[column];
	json_object *object;

	object = json_of_value(snapshot_at(snapshot, choice, place, column), estimate,
			       chosen->unit);
	if (view->interval)
		json_add(object, "covers",
			 json_object_new_string(estimate->of_interval ? "interval" : "window"));
	return object;
}

static json_object *object_of_groups(const struct view *view, size_t place)
{
	const struct choice *choice = view->choice;
	json_object *groups = json_object_new_object();

	for (size_t file = 0; file < choice->nr_files; file++) {
		json_object *group;

		if (choice->files[file].rates)
			continue;
		group = json_object_new_object();
		for (size_t i = 0; i < choice->nr_columns; i++)
			if (choice->columns[i].file == file)
				json_add(group, choice->columns[i].name,
					 object_at(view, place, i));
		json_add(groups, choice->files[file].name, group);
	}
	return groups;
}

static void add_percent(json_object *object, const char *key, bool known, double percent)
{
	json_add(object, key, known ? json_decimal(percent, 1) : NULL);
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

/* Those that are known. */
static void add_rates(json_object *object, const struct view *view, size_t place)
{
	for (enum rates_column rate = RATES_GHZ; rate < NR_RATES; rate++) {
		int column = choice_rate(view->choice, rate);
		const struct value *value;

		if (column < 0)
			continue;
		value = snapshot_at(view->snapshot, view->choice, place, (size_t)column);
		if (value->is_number)
			json_add(object, rates_info[rate].name,
				 json_decimal(value->number, rates_info[rate].decimals));
	}
}

static json_object *object_of_place(const struct view *view, size_t place)
{
	const struct snapshot *snapshot = view->snapshot;
	const struct choice *choice = view->choice;
	json_object *object = json_of_place(&choice->places.v[place]);
	struct answer answer;

	if (view->included)
		json_add_included(object, &view->included[place]);
	add_utilisation(object, view, place);
	add_rates(object, view, place);
	json_add(object, "groups", object_of_groups(view, place));
	if (answer_is_chosen(choice)) {
		answer_of_snapshot(&answer, snapshot, choice, place);
		json_add_answer(object, &answer);
	}
	return object;
}

static json_object *strings_of(const char * const *texts, size_t nr)
{
	json_object *array = json_object_new_array();

	for (size_t i = 0; i < nr; i++) {
		char *text = plain_copy(texts[i]);

		json_append(array, json_object_new_string(text));
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
	json_add(object, "threads", json_object_new_int64((long long)who->threads.nr));
	json_add(object, "seconds", json_decimal(who_seconds(who), 3));
	json_add(object, "ran", json_decimal((double)who->ran / 1e9, 3));
	json_add(object, "waited", json_decimal((double)who->waited / 1e9, 3));
	json_add(object, "doubt", json_decimal((double)who->doubt / 1e9, 3));
	json_add(object, "moves", json_object_new_int64((long long)who->moves));
	json_add(object, "samples", json_object_new_int64((long long)who->samples));
	return object;
}

static json_object *object_of_view(const struct view *view)
{
	json_object *object = json_of_round(SCHEMA, view->snapshot->time);
	json_object *places = json_object_new_array();

	if (view->interval && view->interval->seconds > 0)
		json_add(object, "interval_s", json_decimal(view->interval->seconds, 3));
	if (view->who)
		json_add(object, "who", object_of_who(view->who));
	for (size_t i = 0; i < view->choice->places.nr; i++)
		json_append(places, object_of_place(view, view->order[i]));
	json_add(object, "places", places);
	return object;
}

void view_json(struct view *view)
{
	json_print_line(object_of_view(view));
}
