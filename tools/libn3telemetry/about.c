// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Facts about the source: counts of the simulated PMU n3_sim. */
#include "about.h"
#include "source.h"
#include "values.h"

bool simulated(void)
{
	static bool was_read, is_simulated;
	const char *text;

	if (!was_read && source_read("spec", &text) > 0)
		is_simulated = spec_is_simulated(text);
	was_read = true;
	return is_simulated;
}
