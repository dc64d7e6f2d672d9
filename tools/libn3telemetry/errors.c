// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Errors of this library. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "errors.h"

#define ERROR(name, id, status, meaning) \
	const struct error_kind ERR_##name[1] = { { id, status } };
#include "libn3telemetry/errors.def.h"
#undef ERROR

bool failure_set(struct failure *failure, const struct error_kind *kind, const char *format, ...)
{
	va_list args;

	failure_clear(failure);
	va_start(args, format);
	if (vasprintf(&failure->text, format, args) < 0)
		failure->text = NULL;
	va_end(args);
	failure->kind = failure->text ? kind : ERR_OUT_OF_MEMORY;
	return false;
}

bool failure_no_memory(struct failure *failure)
{
	failure_clear(failure);
	failure->kind = ERR_OUT_OF_MEMORY;
	return false;
}

void failure_clear(struct failure *failure)
{
	free(failure->text);
	*failure = (struct failure) { 0 };
}
