// SPDX-License-Identifier: GPL-2.0
/* The table of events and lookups in it. */
#include <kunit/visibility.h>
#include <linux/bsearch.h>
#include <linux/string.h>

#include "events.h"

const struct n3_sim_event n3_sim_events[N3T_NR_EVENTS] = {
#define N3T_EVENT(mnemonic, number, class, group, is_countable) {	\
	.name = #mnemonic,						\
	.code = N3T_CODE_##mnemonic,					\
	.countable = is_countable,					\
},
#include "libn3t/n3t_events.def.h"
};
EXPORT_SYMBOL_IF_KUNIT(n3_sim_events);

static int compare_code(const void *key, const void *row)
{
	const struct n3_sim_event *event = row;

	return *(const u16 *)key - event->code;
}

/**
 * n3_sim_event_by_code() - look up an event number
 * @code: event number
 *
 * Context: any.
 * Return: enum n3t_event, or -ENOENT: an N3 has no such event, or no counter can count it.
 */
int n3_sim_event_by_code(u16 code)
{
	/* The table is in the order of the event numbers. */
	const struct n3_sim_event *event = bsearch(&code, n3_sim_events, N3T_NR_EVENTS,
						   sizeof(n3_sim_events[0]), compare_code);

	return event && event->countable ? event - n3_sim_events : -ENOENT;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_event_by_code);

/**
 * n3_sim_event_by_name() - look up a mnemonic
 * @name: mnemonic in any case
 *
 * Context: any.
 * Return: enum n3t_event, or -ENOENT: an N3 has no such event, or no counter can count it.
 */
int n3_sim_event_by_name(const char *name)
{
	unsigned int event;

	for (event = 0; event < N3T_NR_EVENTS; event++)
		if (!strcasecmp(name, n3_sim_events[event].name))
			return n3_sim_events[event].countable ? event : -ENOENT;
	return -ENOENT;
}
EXPORT_SYMBOL_IF_KUNIT(n3_sim_event_by_name);
