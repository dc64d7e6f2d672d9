/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Errors of n3spe. */
#ifndef N3SPE_ERRORS_H
#define N3SPE_ERRORS_H

#include "lib/errors.h"

#define ERROR(name, id, status, meaning)	extern const struct error_kind ERR_##name[1];
#include "n3spe/errors.def.h"
#undef ERROR

#endif
