/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Errors of the commands. */
#ifndef READER_ERRORS_H
#define READER_ERRORS_H

#include "libn3telemetry/errors.h"

#define ERROR(name, id, status, meaning)	extern const struct error_kind ERR_##name[1];
#include "reader/errors.def.h"
#undef ERROR

#endif
