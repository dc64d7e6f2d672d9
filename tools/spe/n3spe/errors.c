// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Errors of n3spe. */
#include "errors.h"

#define ERROR(name, id, status, meaning) \
	const struct error_kind ERR_##name[1] = { { id, status } };
#include "n3spe/errors.def.h"
#undef ERROR
