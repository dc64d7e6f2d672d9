// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Window of the source's values. */
#include <stdlib.h>

#include "source.h"
#include "window.h"

#define DEFAULT_WINDOW	2.0

double window_seconds(void)
{
	const char *text;
	double ms = 0;

	if (source_read("window_ms", &text) > 0)
		ms = strtod(text, NULL);
	return ms >= 10 && ms < 1e9 ? ms / 1000 : DEFAULT_WINDOW;
}
