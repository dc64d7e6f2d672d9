// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The path down the decision tree at a place, in a snapshot or a recording. */
#include <string.h>

#include "path_read.h"

/* Return: false if that is no path, or none of this tree. */
static bool follow(struct path *path, const struct value *const parts[BOTTLENECK_NR_PARTS])
{
	const char *end = parts[BOTTLENECK_END]->text, *why = parts[BOTTLENECK_WHY]->text;
	bool too_few = !strcmp(why, BOTTLENECK_TOO_FEW), found = !strcmp(why, BOTTLENECK_FOUND);
	int at = catalog_find_metric(end), undecided[2] = { -1, -1 };

	if (at < 0 && strcmp(end, BOTTLENECK_NONE))
		return false;
	if (too_few || !strcmp(why, BOTTLENECK_UNDECIDED)) {
		found = true;
		for (size_t i = 0; i < 2; i++)
			undecided[i] = catalog_find_metric(parts[BOTTLENECK_RIVAL + i]->text);
		if (undecided[0] < 0 || undecided[1] < 0)
			return false;
	}
	if (!path_follow(path, at, undecided, found ? NULL : why))
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
	if (!parts[BOTTLENECK_END] || !follow(path, parts))
		path_find(path, value_at, &at);
}

bool path_of_recording(struct path *path, const struct recording *recording, size_t place)
{
	static const struct value nothing = { .text = NO_VALUE };
	const struct value *parts[BOTTLENECK_NR_PARTS];

	for (enum bottleneck_part part = 0; part < BOTTLENECK_NR_PARTS; part++) {
		int column = recording_find(recording, BOTTLENECK_FILE, bottleneck_names[part]);

		parts[part] = column < 0 ? NULL : recording_value(recording, place, column);
		if (!parts[part])
			parts[part] = &nothing;
	}
	return follow(path, parts);
}

void path_choose_groups(struct choice *choice)
{
	choose_known_group(choice, "Topdown_L1");
	choose_known_group(choice, "Topdown_Frontend");
	choose_known_group(choice, "Topdown_Backend");
}

void path_choose_bottleneck(struct choice *choice)
{
	if (choice_has(choice, "topdown_l1") && choice_has(choice, "topdown_backend"))
		choose_bottleneck(choice);
}
