/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Errors and warnings: one line on standard error, with an id. */
#ifndef LIB_ERRORS_H
#define LIB_ERRORS_H

#include <stdbool.h>
#include <stdlib.h>

#define __noreturn		__attribute__((__noreturn__))
#define __printf(a, b)		__attribute__((__format__(printf, a, b)))

/* Exit statuses, documented in n3stat(1); 1 is that of all other errors. */
enum exit_code {
	EXIT_OTHER = 1,		/* reading or writing failed */
	EXIT_BAD_USAGE = 2,
	EXIT_NO_MODULE = 3,
	EXIT_NO_PLACE = 4,	/* no such CPU, node, process or cgroup */
	EXIT_NO_NAME = 5,	/* no such group, event, ... */
	EXIT_DENIED = 6,
	EXIT_FINDINGS = 7,	/* doctor, spe info or selftest found something wrong */
	EXIT_NOT_EXECUTABLE = 126,	/* as in env(1) */
	EXIT_NO_COMMAND = 127,
};

struct error_kind {
	const char *id;
	int status;
};

/* Each name is an array of one kind, so that it is passed as a pointer. */
#define ERROR(name, id, status, meaning)	extern const struct error_kind ERR_##name[1];
#include "lib/errors.def.h"
#undef ERROR

/*
 * Return: the kind of errno @error, from a file or a required directory; *text: its message.
 * ENODATA: the directory is not a copy of the module's.
 */
const struct error_kind *access_error(int error, const char **text);

/* Precedes each message, and is copied; by default the name in argv[0]. */
void errors_program(const char *name);

/* die() calls @clean_up before its message, once; NULL: nothing. */
void before_dying(void (*clean_up)(void *context), void *context);

/* Prints the error and ends the program with the exit status of its kind. */
void __noreturn __printf(2, 3) die(const struct error_kind *kind, const char *format, ...);
void __noreturn out_of_memory(void);
/* Prints a warning; the exit status of the kind does not matter. */
void __printf(2, 3) warn(const struct error_kind *kind, const char *format, ...);

/* die() also prints its error as a JSON object on standard output. */
void errors_in_json(bool on);
/* Return: whether die() was called. */
bool is_dying(void);

#endif
