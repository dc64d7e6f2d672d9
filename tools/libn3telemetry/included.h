/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Excluded CPUs of a node or the system: its values are sums over the included ones. */
#ifndef LIBN3TELEMETRY_INCLUDED_H
#define LIBN3TELEMETRY_INCLUDED_H

#include "choice.h"

#define INCLUDED_TEXT	64

struct included {
	bool known;		/* of a node or the system, and its status has both */
	unsigned long cpus;
	unsigned long nr;
};

/* Return: whether a place is a node or the system. */
bool included_matters(const struct choice *choice);
/* Reads the status of a place. Return: false after an error of the source. */
bool included_of(struct source *source, struct included *included, const struct place *place);
/* Reads the status of each place. @included has an element per place. */
bool included_read(struct source *source, struct included *included, const struct choice *choice);
/* " (4 of 8 CPUs)", "" if none is excluded. */
const char *included_text(char text[INCLUDED_TEXT], const struct included *included);

#endif
