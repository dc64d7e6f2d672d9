// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Helpers of all parts of the report. */
#include <math.h>

#include "lib/memory.h"
#include "page.h"

#define TINY	(1 / 1e9)	/* relative rounding error */

const struct level_1 level_1[NR_LEVEL_1] = {
	{ "retiring", "Retiring" },
	{ "bad_speculation", "Bad speculation" },
	{ "frontend_bound", "Frontend bound" },
	{ "backend_bound", "Backend bound" },
};

double page_end(const struct page *page)
{
	return page->cells.time[page->cells.nr - 1] +
	       cells_interval(&page->cells, &page->summary);
}

bool page_is_part(const struct page *page)
{
	return page->summary.nr < page->recording->nr;
}

double page_round_up(double number)
{
	static const double steps[] = { 1, 2, 5 };
	double power = TINY;

	while (isfinite(number) && power * 10 < number)
		power *= 10;
	for (size_t i = 0; i < NR(steps); i++)
		if (steps[i] * power >= number * (1 - TINY))
			return steps[i] * power;
	return 10 * power;
}

bool page_level_1(const struct page *page, int columns[NR_LEVEL_1])
{
	bool any = false;

	for (size_t i = 0; i < NR_LEVEL_1; i++) {
		columns[i] = recording_find_values(page->recording, level_1[i].metric);
		any |= columns[i] >= 0;
	}
	return any;
}
