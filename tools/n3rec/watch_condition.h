/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What is watched: METRIC > BOUND or METRIC < BOUND. */
#ifndef N3REC_WATCH_CONDITION_H
#define N3REC_WATCH_CONDITION_H

#include "libn3telemetry/values.h"

struct watch_condition {
	char metric[VALUE_NAME];
	bool above;			/* >, else < */
	char text[VALUE_TEXT];		/* of the bound */
	double number;
	int percentile;			/* of a baseline, as in percentile.h; -1: the number */
	double interval;		/* behind it; 0: none was given */
};

/* Of words of the command line, in any number. Ends the program if they are none. */
void watch_condition_parse(struct watch_condition *condition, char **words, size_t nr);
/* Whether the whole 95 % interval lies beyond the bound; false if there is none. */
bool watch_condition_holds(const struct watch_condition *condition, const struct value *estimate,
			   double bound);

#endif
