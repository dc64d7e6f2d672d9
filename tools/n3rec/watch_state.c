// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* State of the watched condition at each place. */
#include <stdlib.h>

#include "lib/util.h"
#include "watch_state.h"

#define CLOSE_ENOUGH	0.99	/* tolerance for the timing of snapshots */

const char *watch_state_name(const struct watch_state *state, const struct watch_place *place)
{
	return state->choice.places.v[place - state->places].name;
}

static void take_place(struct watch_state *state, struct watch_place *place, double now)
{
	bool holds = watch_condition_holds(&state->condition, place->estimate, place->bound);

	if (holds == place->holds)
		return;
	place->holds = holds;
	place->since = now;
	if (state->changed)
		state->changed(state, place);
}

void watch_state_take(struct watch_state *state, double now)
{
	for (size_t i = 0; i < state->choice.places.nr; i++) {
		state->places[i].estimate = snapshot_estimate_at(&state->snapshot, &state->choice,
								 i, 0);
		take_place(state, &state->places[i], now);
	}
}

/* Distance of the interval's near end beyond the bound. */
static double distance(const struct watch_state *state, const struct watch_place *place)
{
	return state->condition.above ? place->estimate->low - place->bound :
					place->bound - place->estimate->high;
}

const struct watch_place *watch_state_due(const struct watch_state *state, double now)
{
	const struct watch_place *due = NULL;

	for (size_t i = 0; i < state->choice.places.nr; i++) {
		const struct watch_place *place = &state->places[i];

		if (!place->holds || now - place->since < CLOSE_ENOUGH * state->time_to_hold)
			continue;
		if (!due || distance(state, place) > distance(state, due))
			due = place;
	}
	return due;
}

void watch_state_free(struct watch_state *state)
{
	free(state->places);
	snapshot_free(&state->snapshot);
	choice_free(&state->choice);
}
