/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Watched condition: METRIC > BOUND or METRIC < BOUND. */
#ifndef N3REC_WATCH_CONDITION_H
#define N3REC_WATCH_CONDITION_H

#include "libn3telemetry/values.h"

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
/* Whether the whole 95 % interval lies beyond the bound; false without one. */
bool watch_condition_holds(const struct watch_condition *condition, const struct value *estimate,
			   double bound);

#endif
