// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The answer at a place of a snapshot. */
#include "answer_read.h"

#define NR_GROUPS	3	/* of the tree: those of stage 1 */

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

void answer_of_snapshot(struct answer *answer, const struct snapshot *snapshot,
			const struct choice *choice, size_t place)
{
	const struct at_place at = { snapshot, choice, place };

	answer_find(answer, value_at, &at);
}

struct path_share answer_share_at(const struct snapshot *snapshot, const struct choice *choice,
				  size_t place, int metric)
{
	const struct at_place at = { snapshot, choice, place };

	return path_share(metric, value_at, &at);
}

bool answer_is_chosen(const struct choice *choice)
{
	size_t nr = 0;

	for (size_t i = 0; i < choice->nr_files; i++)
		nr += choice->files[i].whole && choice->files[i].group >= 0 &&
		      catalog_group(choice->files[i].group).stage == 1;
	return nr == NR_GROUPS;
}

bool answer_choose_groups(struct source *source, struct choice *choice)
{
	return choose_known_group(source, choice, "Topdown_L1") &&
	       choose_known_group(source, choice, "Topdown_Frontend") &&
	       choose_known_group(source, choice, "Topdown_Backend");
}
