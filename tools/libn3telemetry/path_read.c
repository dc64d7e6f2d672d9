// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Path through the decision tree at a place of a snapshot. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "path_read.h"

static bool add_loss(struct path *path, const struct value *name, const struct value *share)
{
	int metric = catalog_find_metric(name->text);

	if (!strcmp(name->text, NO_VALUE))
		return true;
	if (metric < 0 || !share->is_number)
		return false;
	path->losses[path->nr_losses++] = (struct path_loss) {
		metric, { share->number, share->has_range ? value_error(share) : NAN }, false,
	};
	return true;
}

static bool add_losses(struct path *path, const struct value *const parts[])
{
	return add_loss(path, parts[BOTTLENECK_FIRST], parts[BOTTLENECK_FIRST_SHARE]) &&
	       add_loss(path, parts[BOTTLENECK_SECOND], parts[BOTTLENECK_SECOND_SHARE]) &&
	       add_loss(path, parts[BOTTLENECK_THIRD], parts[BOTTLENECK_THIRD_SHARE]);
}

/*
 * The path and the losses from the text of the bottleneck. Return: false if they are not a path
 * of this tree.
 */
static bool path_of_parts(struct path *path, const struct value *const parts[BOTTLENECK_NR_PARTS])
{
	const char *end = parts[BOTTLENECK_END]->text, *why = parts[BOTTLENECK_WHY]->text;
	const char *below = parts[BOTTLENECK_BELOW]->text;
	int metric = catalog_find_metric(end);

	if (metric < 0 && strcmp(end, BOTTLENECK_NONE))
		return false;
	if (!path_lead(path, metric) || !add_losses(path, parts))
		return false;
	path->mixed = !strcmp(why, BOTTLENECK_MIXED);
	if (path->nr_losses && path->losses[0].metric == metric)
		path->share = path->losses[0].share.value;
	else if (parts[BOTTLENECK_SHARE]->is_number)
		path->share = parts[BOTTLENECK_SHARE]->number;
	if (metric < 0)
		path->word = why;
	else if (strcmp(below, NO_VALUE))
		path->word = below;
	if (!path->mixed)
		return metric < 0 || !strcmp(why, BOTTLENECK_FOUND);
	path->too_few_slices = isnan(path->losses[0].share.error) ||
			       isnan(path->losses[1].share.error);
	return path->nr_losses > 1;
}

struct at_place {
	const struct snapshot *snapshot;
	const struct choice *choice;
	size_t place;
};

static const struct value *value_at(const void *data, int metric)
{
	const struct at_place *at = data;

	return snapshot_estimate(at->snapshot, at->choice, at->place, metric);
}

/* Errors of an interval are unknown: those that the path was found with are the window's. */
static void forget_errors(struct path *path, const struct at_place *at)
{
	if (!path->nr || !value_at(at, path->metrics[0])->of_interval)
		return;
	for (size_t i = 0; i < path->nr_losses; i++)
		path->losses[i].share.error = NAN;
}

void path_of_snapshot(struct path *path, const struct snapshot *snapshot,
		      const struct choice *choice, size_t place)
{
	struct at_place at = { snapshot, choice, place };
	const struct value *parts[BOTTLENECK_NR_PARTS];

	for (enum bottleneck_part part = 0; part < BOTTLENECK_NR_PARTS; part++)
		parts[part] = snapshot_bottleneck(snapshot, choice, place, part);
	if (!parts[BOTTLENECK_END] || !path_of_parts(path, parts)) {
		path_find(path, value_at, &at);
		forget_errors(path, &at);
	} else {
		path_mark_rests(path, value_at, &at);
	}
}

static void put_share(struct value parts[], enum bottleneck_part part, double share)
{
	char text[VALUE_TEXT];

	if (isnan(share))
		return;
	snprintf(text, sizeof(text), "%.4f", share);
	parts[part] = value_of_text(text);
}

static void path_to_parts(const struct path *path, struct value parts[BOTTLENECK_NR_PARTS])
{
	const char *word = path->word ? path->word : NO_VALUE;

	for (enum bottleneck_part part = 0; part < BOTTLENECK_NR_PARTS; part++)
		parts[part] = value_of_text(NO_VALUE);
	if (!path->nr) {
		parts[BOTTLENECK_END] = value_of_text(BOTTLENECK_NONE);
		parts[BOTTLENECK_WHY] = value_of_text(word);
		return;
	}
	parts[BOTTLENECK_END] = value_of_text(catalog_metric_name(path->metrics[path->nr - 1]));
	parts[BOTTLENECK_WHY] = value_of_text(path->mixed ? BOTTLENECK_MIXED : BOTTLENECK_FOUND);
	parts[BOTTLENECK_BELOW] = value_of_text(word);
	put_share(parts, BOTTLENECK_SHARE, path->share);
	for (size_t i = 0; i < path->nr_losses; i++) {
		const struct path_loss *loss = &path->losses[i];

		parts[BOTTLENECK_FIRST + 2 * i] = value_of_text(catalog_metric_name(loss->metric));
		put_share(parts, BOTTLENECK_FIRST_SHARE + 2 * i, loss->share.value);
	}
}

void path_fill(struct snapshot *snapshot, const struct choice *choice, size_t place)
{
	const struct value *end = snapshot_bottleneck(snapshot, choice, place, BOTTLENECK_END);
	struct at_place at = { snapshot, choice, place };
	struct value parts[BOTTLENECK_NR_PARTS];
	struct path path;

	if (!end)
		return;
	path_find(&path, value_at, &at);
	path_to_parts(&path, parts);
	memcpy(&snapshot->v[end - snapshot->v], parts, sizeof(parts));
	memcpy(&snapshot->estimates[end - snapshot->v], parts, sizeof(parts));
}

struct path_share path_share_at(const struct snapshot *snapshot, const struct choice *choice,
				size_t place, int metric)
{
	struct at_place at = { snapshot, choice, place };

	return path_share(metric, value_at, &at);
}

bool path_choose_groups(struct source *source, struct choice *choice)
{
	return choose_known_group(source, choice, "Topdown_L1") &&
	       choose_known_group(source, choice, "Topdown_Frontend") &&
	       choose_known_group(source, choice, "Topdown_Backend");
}

bool path_choose_bottleneck(struct source *source, struct choice *choice)
{
	if (!choice_has(choice, "topdown_l1") || !choice_has(choice, "topdown_backend"))
		return true;
	return choose_bottleneck(source, choice);
}
