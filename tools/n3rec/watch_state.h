/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Watched condition, its state at each place, and the output of changes. */
#ifndef N3REC_WATCH_STATE_H
#define N3REC_WATCH_STATE_H

#include "lib/errors.h"
#include "libn3telemetry/snapshot.h"

/* METRIC > BOUND or METRIC < BOUND */
struct watch_condition {
	char metric[VALUE_NAME];
	bool above;			/* >, else < */
	char text[VALUE_TEXT];		/* of the bound */
	double number;
	int percentile;			/* index of a baseline's percentile; -1: number */
	double interval;		/* optional interval; 0: none */
};

/* Parses words of the command line. Exits if they are not a condition. */
void watch_condition_parse(struct watch_condition *condition, char **words, size_t nr);

struct watch_place {
	double bound;
	bool holds;
	double since;			/* in terms of monotonic_now() */
	bool due;			/* has held for the required time */
	bool queued;			/* the command is yet to be run for it */
	const struct value *estimate;	/* in the last snapshot */
	struct value seen;		/* the estimate when the command was due */
};

struct watch_state {
	struct watch_condition condition;
	struct choice choice;
	struct snapshot snapshot;
	struct watch_place *places;	/* of choice */
	double time_to_hold;
	char *due;			/* names of the places for which the command was due */
	/* Callback when the condition begins or ceases to hold at a place, or NULL. */
	void (*changed)(const struct watch_state *state, const struct watch_place *place);
};

/* Takes a new snapshot and reports each place where the condition changed. */
void watch_state_take(struct watch_state *state, double now);
/*
 * Return: of the places where the condition has held for the required time, the one farthest
 * beyond the bound, or NULL.
 */
const struct watch_place *watch_state_due(struct watch_state *state, double now);
/* Queues one due place, or all if it is NULL, and keeps their estimates. */
void watch_state_queue(struct watch_state *state, const struct watch_place *one);
/* Return: the next place, which leaves the queue, or NULL. */
const struct watch_place *watch_state_next(struct watch_state *state);
const char *watch_state_name(const struct watch_state *state, const struct watch_place *place);
void watch_state_free(struct watch_state *state);

/* Reports that the condition began or ceased to hold at a place. */
void watch_event_condition(const struct watch_state *state, const struct watch_place *place);
/* A line with the time. */
void __printf(1, 2) watch_event(const char *format, ...);

#endif
