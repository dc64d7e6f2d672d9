// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The way down the decision tree: from the largest Topdown_L1 metric to the
 * largest metric below it, as long as that leads the next by more than the
 * errors of both. The module's file "bottleneck" goes by the same rule, but with
 * errors of fewer slices than it prints: where that file is, its way is the one.
 */
#include <string.h>

#include "walk.h"

#define MAX_BELOW	16

static size_t add_roots(int group, int below[], size_t nr, size_t room)
{
	for (size_t i = 0; i < tables_group(group).nr_members && nr < room; i++) {
		int metric = tables_member(group, i);

		if (tables_parent(metric) < 0)
			below[nr++] = metric;
	}
	return nr;
}

size_t walk_below(int metric, int below[], size_t room)
{
	struct tables_next next[TABLES_MAX_NEXT];
	size_t nr_next, nr = 0;

	if (metric < 0)
		return add_roots(tables_find_group("Topdown_L1"), below, 0, room);
	nr_next = tables_next(metric, next);
	for (size_t i = 0; i < nr_next && nr < room; i++) {
		if (next[i].metric >= 0)
			below[nr++] = next[i].metric;
		/* Other groups are to be looked at, they are no way down. */
		else if (tables_in_tree(tables_member(next[i].group, 0)))
			nr = add_roots(next[i].group, below, nr, room);
	}
	return nr;
}

static bool find_path(int at, int metric, int path[], size_t *nr)
{
	int below[MAX_BELOW];
	size_t nr_below = *nr < WALK_DEPTH ? walk_below(at, below, MAX_BELOW) : 0;

	for (size_t i = 0; i < nr_below; i++) {
		path[(*nr)++] = below[i];
		if (below[i] == metric || find_path(below[i], metric, path, nr))
			return true;
		(*nr)--;
	}
	return false;
}

size_t walk_path(int metric, int path[WALK_DEPTH])
{
	size_t nr = 0;

	find_path(-1, metric, path, &nr);
	return nr;
}

/* What the tree names at a metric; each group once. */
static void note_groups(struct walk *walk, int metric)
{
	struct tables_next next[TABLES_MAX_NEXT];
	size_t nr = tables_next(metric, next), k;

	for (size_t i = 0; i < nr; i++) {
		if (next[i].group < 0)
			continue;
		for (k = 0; k < walk->nr_look_at; k++)
			if (walk->look_at[k] == next[i].group)
				break;
		if (k == walk->nr_look_at && k < TABLES_MAX_NEXT)
			walk->look_at[walk->nr_look_at++] = next[i].group;
	}
}

/* At those that cannot be told apart, else at the deepest that leads anywhere. */
static void find_groups(struct walk *walk)
{
	size_t i = walk->nr;

	if (walk->undecided[0] >= 0) {
		note_groups(walk, walk->undecided[0]);
		note_groups(walk, walk->undecided[1]);
	}
	while (i-- > 0 && !walk->nr_look_at)
		note_groups(walk, walk->path[i]);
}

/*
 * Finds the largest of the metrics and the next, or -1.
 *
 * Return: NULL, or the word that stands in place of one of them: then nobody
 * knows which is the largest.
 */
static const char *find_two(const int metrics[], size_t nr, walk_value value, const void *of,
			    int two[2])
{
	double largest[2] = { 0, 0 };

	two[0] = -1;
	two[1] = -1;
	for (size_t i = 0; i < nr; i++) {
		const struct value *v = value(of, metrics[i]);

		if (!v || !v->is_number)
			return v ? v->text : NO_VALUE;
		if (two[0] < 0 || v->number > largest[0]) {
			two[1] = two[0];
			largest[1] = largest[0];
			two[0] = metrics[i];
			largest[0] = v->number;
		} else if (two[1] < 0 || v->number > largest[1]) {
			two[1] = metrics[i];
			largest[1] = v->number;
		}
	}
	return NULL;
}

/* Counted in too few slices to have an error: it cannot be said who leads. */
static bool error_is_unknown(const struct value *value)
{
	return value->has_coverage && !value->has_range;
}

static bool leads(struct walk *walk, const int two[2], walk_value value, const void *of)
{
	const struct value *a, *b;

	/* An only child is gone down to; its value tells how much there is to it. */
	if (two[1] < 0)
		return true;
	a = value(of, two[0]);
	b = value(of, two[1]);
	walk->too_few_slices = error_is_unknown(a) || error_is_unknown(b);
	if (walk->too_few_slices)
		return false;
	return a->number - b->number > value_error(a) + value_error(b);
}

void walk_down(struct walk *walk, walk_value value, const void *of)
{
	int below[MAX_BELOW], two[2];
	int at = -1;
	size_t nr;

	*walk = (struct walk) { .undecided = { -1, -1 } };
	while ((nr = walk_below(at, below, MAX_BELOW)) && walk->nr < WALK_DEPTH) {
		walk->word = find_two(below, nr, value, of, two);
		if (walk->word)
			break;
		if (!leads(walk, two, value, of)) {
			memcpy(walk->undecided, two, sizeof(two));
			break;
		}
		at = two[0];
		walk->path[walk->nr++] = at;
	}
	find_groups(walk);
}

bool walk_told(struct walk *walk, const struct value *const told[WAY_NR_PARTS])
{
	const char *end = told[WAY_END]->text, *why = told[WAY_WHY]->text;

	*walk = (struct walk) { .undecided = { -1, -1 } };
	walk->nr = walk_path(tables_find_metric(end), walk->path);
	if (!walk->nr && strcmp(end, WAY_NONE))
		return false;
	walk->too_few_slices = !strcmp(why, WAY_TOO_FEW);
	if (walk->too_few_slices || !strcmp(why, WAY_UNDECIDED)) {
		for (size_t i = 0; i < 2; i++)
			walk->undecided[i] = tables_find_metric(told[WAY_RIVAL + i]->text);
		if (walk->undecided[0] < 0 || walk->undecided[1] < 0)
			return false;
	} else if (strcmp(why, WAY_FOUND)) {
		walk->word = why;
	}
	find_groups(walk);
	return true;
}

struct at_place {
	const struct snapshot *snapshot;
	const struct choice *choice;
	size_t place;
};

static const struct value *value_at(const void *of, int metric)
{
	const struct at_place *at = of;

	return snapshot_metric(at->snapshot, at->choice, at->place, metric);
}

void walk_snapshot(struct walk *walk, const struct snapshot *snapshot,
		   const struct choice *choice, size_t place)
{
	struct at_place at = { snapshot, choice, place };
	const struct value *told[WAY_NR_PARTS];

	for (enum way_part part = 0; part < WAY_NR_PARTS; part++)
		told[part] = snapshot_way(snapshot, choice, place, part);
	if (!told[WAY_END] || !walk_told(walk, told))
		walk_down(walk, value_at, &at);
}

bool walk_recorded(struct walk *walk, const struct recording *recording, size_t place)
{
	const struct value nothing = value_of_text(NO_VALUE);
	const struct value *told[WAY_NR_PARTS];

	for (enum way_part part = 0; part < WAY_NR_PARTS; part++) {
		int column = recording_find(recording, WAY_FILE, way_names[part]);

		told[part] = column < 0 ? NULL : recording_value(recording, place, column);
		if (!told[part])
			told[part] = &nothing;
	}
	return walk_told(walk, told);
}

bool walk_holds(const struct walk *walk, int metric)
{
	for (size_t i = 0; i < walk->nr; i++)
		if (walk->path[i] == metric)
			return true;
	return false;
}

void walk_choose(struct choice *choice)
{
	choose_known_group(choice, "Topdown_L1");
	choose_known_group(choice, "Topdown_Frontend");
	choose_known_group(choice, "Topdown_Backend");
}

void walk_choose_way(struct choice *choice)
{
	if (choice_has(choice, "topdown_l1") && choice_has(choice, "topdown_backend"))
		choose_way(choice);
}
