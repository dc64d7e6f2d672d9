// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Helpers of all parts of the report. */
#include <math.h>
#include <stdio.h>

#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "page.h"

const struct level_1 level_1[NR_LEVEL_1] = {
	{ "retiring", "Retiring" },
	{ "bad_speculation", "Bad speculation" },
	{ "frontend_bound", "Frontend bound" },
	{ "backend_bound", "Backend bound" },
};

const char *page_time(char text[PAGE_TIME], double seconds, double longest)
{
	/* Rounded to tenths first, as 59.96 s would become 0:60.0. */
	double all = seconds > 0 && seconds < 1e9 ? round(seconds * 10) : 0;
	unsigned long tenths = (unsigned long)all, whole = tenths / 10;
	char part[8] = "";

	if (tenths % 10)
		snprintf(part, sizeof(part), ".%lu", tenths % 10);
	if (longest < 60)
		snprintf(text, PAGE_TIME, "%lu%s s", whole, part);
	else if (longest < 3600)
		snprintf(text, PAGE_TIME, "%lu:%02lu%s", whole / 60, whole % 60, part);
	else
		snprintf(text, PAGE_TIME, "%lu:%02lu:%02lu%s", whole / 3600, whole / 60 % 60,
			 whole % 60, part);
	return text;
}

double page_end(const struct page *page)
{
	return cells_edge(&page->cells, &page->summary, page->cells.nr);
}

const char *page_clock(const struct page *page, char text[PAGE_TIME], double seconds)
{
	return page_time(text, seconds, page_end(page));
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
		columns[i] = recording_column(page->recording,
					      catalog_find_metric(level_1[i].metric));
		any |= columns[i] >= 0;
	}
	return any;
}

bool page_has_line(const struct page *page, enum scope scope, size_t column)
{
	for (size_t i = 0; i < page->recording->places.nr; i++)
		if (page->recording->places.v[i].scope == scope &&
		    cells_line(&page->cells, i, column))
			return true;
	return false;
}
