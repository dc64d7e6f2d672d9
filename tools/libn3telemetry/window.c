// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Window of the source's values. */
#include <stdlib.h>

#include "window.h"

#define DEFAULT_WINDOW	2.0

bool window_seconds(struct source *source, double *seconds)
{
	double ms;
	char *text;

	if (!source_read(source, "window_ms", &text))
		return false;
	ms = text ? strtod(text, NULL) : 0;
	*seconds = ms >= 10 && ms < 1e9 ? ms / 1000 : DEFAULT_WINDOW;
	return true;
}
