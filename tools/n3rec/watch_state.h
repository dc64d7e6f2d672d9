/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* State of the watched condition at each place. */
#ifndef N3REC_WATCH_STATE_H
#define N3REC_WATCH_STATE_H

#include "libn3telemetry/snapshot.h"
#include "watch_condition.h"

struct watch_place {
	double bound;
	bool holds;
	double since;			/* in terms of monotonic_now() */
	const struct value *estimate;	/* in the last snapshot */
};

struct watch_state {
	struct watch_condition condition;
	struct choice choice;
	struct snapshot snapshot;
	struct watch_place *places;	/* of choice */
	double time_to_hold;
	/* Callback when the condition begins or ceases to hold at a place, or NULL. */
	void (*changed)(const struct watch_state *state, const struct watch_place *place);
};

/* Takes a new snapshot and reports each place where the condition changed. */
void watch_state_take(struct watch_state *state, double now);
/*
 * Return: of the places where the condition has held for the required time, the one farthest
 * beyond the bound, or NULL.
 */
const struct watch_place *watch_state_due(const struct watch_state *state, double now);
const char *watch_state_name(const struct watch_state *state, const struct watch_place *place);
void watch_state_free(struct watch_state *state);

#endif
