// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Path through the decision tree at a place of a snapshot. */
#include <string.h>

#include "path_read.h"

bool path_follow_parts(struct path *path, const struct value *const parts[BOTTLENECK_NR_PARTS],
		       path_value value, const void *of)
{
	const char *end = parts[BOTTLENECK_END]->text, *why = parts[BOTTLENECK_WHY]->text;
	int rival = catalog_find_metric(parts[BOTTLENECK_RIVAL]->text);
	int second = catalog_find_metric(parts[BOTTLENECK_SECOND]->text);
	bool too_few = !strcmp(why, BOTTLENECK_TOO_FEW);
	struct path_end known = {
		.end = catalog_find_metric(end), .undecided = { -1, -1 }, .minor = -1,
	};

	if (known.end < 0 && strcmp(end, BOTTLENECK_NONE))
		return false;
	if (!strcmp(why, BOTTLENECK_FOUND)) {
		known.minor = rival;
	} else if (too_few || !strcmp(why, BOTTLENECK_UNDECIDED)) {
		if (rival < 0 || second < 0)
			return false;
		known.undecided[0] = rival;
		known.undecided[1] = second;
	} else {
		known.word = why;
	}
	if (!path_follow(path, &known, value, of))
		return false;
	path->too_few_slices = too_few;
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

	return snapshot_estimate(at->snapshot, at->choice, at->place, metric);
}

void path_of_snapshot(struct path *path, const struct snapshot *snapshot,
		      const struct choice *choice, size_t place)
{
	struct at_place at = { snapshot, choice, place };
	const struct value *parts[BOTTLENECK_NR_PARTS];

	for (enum bottleneck_part part = 0; part < BOTTLENECK_NR_PARTS; part++)
		parts[part] = snapshot_bottleneck(snapshot, choice, place, part);
	if (!parts[BOTTLENECK_END] || !path_follow_parts(path, parts, value_at, &at))
		path_find(path, value_at, &at);
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
