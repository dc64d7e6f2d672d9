/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The answer and shares of all slots at a place of a snapshot, by its estimates. */
#ifndef LIBN3TELEMETRY_ANSWER_READ_H
#define LIBN3TELEMETRY_ANSWER_READ_H

#include "answer.h"
#include "snapshot.h"

void answer_of_snapshot(struct answer *answer, const struct snapshot *snapshot,
			const struct choice *choice, size_t place);
struct path_share answer_share_at(const struct snapshot *snapshot, const struct choice *choice,
				  size_t place, int metric);

/* Whether all groups of the tree are selected. */
bool answer_is_chosen(const struct choice *choice);
/* Selects the groups of the tree. */
bool answer_choose_groups(struct source *source, struct choice *choice);

#endif
