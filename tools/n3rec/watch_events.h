/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Output of watch: a line with the time for each event. */
#ifndef N3REC_WATCH_EVENTS_H
#define N3REC_WATCH_EVENTS_H

#include "lib/util.h"
#include "watch_state.h"

/* Reports that the condition began or ceased to hold at a place. */
void watch_event_condition(const struct watch_state *state, const struct watch_place *place);
void __printf(1, 2) watch_event(const char *format, ...);

#endif
