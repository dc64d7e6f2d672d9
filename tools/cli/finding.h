/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Findings about a machine, and the commands that fix them. */
#ifndef CLI_FINDING_H
#define CLI_FINDING_H

#include "lib/errors.h"

struct json_object;
struct machine;

enum severity {
	FINDING_OK,
	FINDING_NOTE,		/* information only */
	FINDING_WARNING,	/* fewer or worse counts than possible */
	FINDING_ERROR,		/* no counts */
};

/*
 * One finding, with the command that fixes it, NULL for that of the id in advice.def.h, which may
 * have none. The id is stable and listed in the command's manual page; the wording of the message
 * may change.
 */
void __printf(4, 5) finding(enum severity severity, const char *id, const char *command,
			    const char *format, ...);

/* Adds further findings to an array instead of printing them; NULL: print again. */
void finding_collect(struct json_object *array);

/* Return: the worst severity found since the last call. */
enum severity finding_worst(void);

/* Return: whether the module's counts are simulated; NULL (JSON null) without a module. */
struct json_object *json_of_simulated(const struct machine *machine);

#endif
