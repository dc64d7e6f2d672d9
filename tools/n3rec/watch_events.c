// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Output of watch: a line with the time for each event. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/memory.h"
#include "lib/plain.h"
#include "lib/streams.h"
#include "watch_state.h"

void watch_event(const char *format, ...)
{
	time_t now = time(NULL);
	struct tm local;
	char when[32], *text;
	va_list args;

	va_start(args, format);
	text = format_args(format, args);
	va_end(args);
	plain_text(text);
	localtime_r(&now, &local);
	strftime(when, sizeof(when), "%F %T", &local);
	printf("%s %s\n", when, text);
	flush_output(stdout);
	free(text);
}

/*
 * With a decimal below the error, so that both ends can be compared with the bound, but no more
 * than the module prints.
 */
static char *text_of_estimate(const struct value *estimate)
{
	const char *point = strchr(estimate->text, '.');
	int decimals, most = point ? (int)strlen(point + 1) : 0;

	if (!estimate->has_range)
		return xstrdup(estimate->text);
	decimals = value_decimals(estimate, most) + 1;
	decimals = decimals < most ? decimals : most;
	return format_string("%.*f (%.*f to %.*f)", decimals, estimate->number, decimals,
			     estimate->low, decimals, estimate->high);
}

void watch_event_condition(const struct watch_state *state, const struct watch_place *place)
{
	char *estimate = text_of_estimate(place->estimate);

	watch_event("%s: %s %s, %s %c %.6g", watch_state_name(state, place),
		    state->condition.metric, estimate, place->holds ? "now" : "no longer",
		    state->condition.above ? '>' : '<', place->bound);
	free(estimate);
}
