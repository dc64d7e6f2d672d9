/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* How many CPUs of a node or the system its values are of. */
#ifndef N3STAT_INCLUDED_H
#define N3STAT_INCLUDED_H

#include "libn3telemetry/choice.h"

struct included {
	bool known;		/* of a node or the system, and its status has both */
	unsigned long cpus;
	unsigned long nr;
};

/* Return: whether a place is a node or the system. */
bool included_matters(const struct choice *choice);
/* Reads the status of each place. @included has an element per place. */
void included_read(struct included *included, const struct choice *choice);

#endif
