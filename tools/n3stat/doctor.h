/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat doctor: what is found on a machine. */
#ifndef N3STAT_DOCTOR_H
#define N3STAT_DOCTOR_H

#include <stdbool.h>

#include "machine.h"

#define DOCTOR_TEXT	65536

enum severity {
	FINDING_OK,
	FINDING_NOTE,		/* worth knowing */
	FINDING_WARNING,	/* counts less or worse than it could */
	FINDING_ERROR,		/* does not count at all */
};

/* What is wrong, and the command that mends it (NULL for none). */
void __attribute__((__format__(printf, 3, 4)))
finding(enum severity severity, const char *command, const char *format, ...);

/* Each says what it finds; one that makes the next ones useless returns false. */
bool doctor_cpu(const struct machine *machine);
bool doctor_module(const struct machine *machine);
void doctor_pmu(const struct machine *machine);
bool doctor_settings(const struct machine *machine);
void doctor_places(const struct machine *machine);
void doctor_others(const struct machine *machine);

#endif
