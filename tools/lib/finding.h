/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Findings about a machine, and the commands that fix them. */
#ifndef LIB_FINDING_H
#define LIB_FINDING_H

#include "errors.h"

struct json_object;
struct machine;

enum severity {
	FINDING_OK,
	FINDING_NOTE,		/* information only */
	FINDING_WARNING,	/* fewer or worse counts than possible */
	FINDING_ERROR,		/* no counts */
};

/*
 * One finding, with the command that fixes it, NULL for the one that findings_start() chose. The id
 * is stable and listed in the command's manual page; the wording of the message may change.
 */
void __printf(4, 5) finding(enum severity severity, const char *id, const char *command,
			    const char *format, ...);

/* @fix returns the command that fixes a finding, NULL if none does. */
void findings_start(const char *(*fix)(const char *id));
/* Adds further findings to an array instead of printing them; NULL: print again. */
void findings_collect(struct json_object *array);
/* Return: the worst severity since the start. */
enum severity findings_worst(void);

/* Return: whether the module's counts are simulated; NULL (JSON null) without a module. */
struct json_object *json_of_simulated(const struct machine *machine);

#endif
