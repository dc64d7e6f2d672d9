/* SPDX-License-Identifier: GPL-2.0 */
/* Events of a Neoverse N3, by number and by name. */
#ifndef _N3_SIM_EVENTS_H
#define _N3_SIM_EVENTS_H

#include <linux/types.h>

#include "libn3t/n3t.h"

/**
 * struct n3_sim_event - an event of the table
 * @name: mnemonic, upper case
 * @code: event number
 * @countable: a single counter can count it
 */
struct n3_sim_event {
	const char *name;
	u16 code;
	bool countable;
};

extern const struct n3_sim_event n3_sim_events[N3T_NR_EVENTS];

int n3_sim_event_by_code(u16 code);
int n3_sim_event_by_name(const char *name);

#endif /* _N3_SIM_EVENTS_H */
