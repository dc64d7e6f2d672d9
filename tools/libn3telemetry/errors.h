/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Errors of this library. */
#ifndef LIBN3TELEMETRY_ERRORS_H
#define LIBN3TELEMETRY_ERRORS_H

#include "lib/errors.h"

#define ERROR(name, id, status, meaning)	extern const struct error_kind ERR_##name[1];
#include "libn3telemetry/errors.def.h"
#undef ERROR

/* Error of a function of the library, for its caller to report. */
struct failure {
	const struct error_kind *kind;	/* NULL: none so far */
	char *text;		/* NULL: out of memory */
	int denied;		/* errno if the kernel denied access, otherwise 0 */
};

/* Replaces an earlier error. Return: false, for the caller to return. */
bool __printf(3, 4) failure_set(struct failure *failure, const struct error_kind *kind,
				const char *format, ...);
bool failure_no_memory(struct failure *failure);
void failure_clear(struct failure *failure);

#endif
