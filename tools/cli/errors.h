/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Errors of the commands and their exit statuses. */
#ifndef CLI_ERRORS_H
#define CLI_ERRORS_H

#include "libn3telemetry/errors.h"

/* Documented in n3stat(1), as those of libn3telemetry/errors.h. */
enum {
	EXIT_FINDINGS = 7,	/* doctor, spe info or selftest found something wrong */
};

#define ERROR(name, id, status, meaning)	extern const struct error_kind ERR_##name[1];
#include "cli/errors.def.h"
#undef ERROR

#endif
