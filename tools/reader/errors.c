// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Errors of the commands. */
#include "errors.h"

#define ERROR(name, id, status, meaning) \
	const struct error_kind ERR_##name[1] = { { id, status } };
#include "reader/errors.def.h"
#undef ERROR
