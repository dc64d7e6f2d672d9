// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Kinds of errors of the tools. */
#include "errors.h"

#define ERROR(name, id, status, meaning) \
	const struct error_kind ERR_##name[1] = { { id, status } };
#include "libn3telemetry/errors.def.h"
#undef ERROR
