// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat top: state of the display, independent of drawing. */
#include "libn3telemetry/catalog.h"
#include "libn3telemetry/order.h"
#include "top.h"

const char * const top_bars[TOP_NR_BARS] = {
	"frontend_bound", "backend_bound", "bad_speculation", "retiring"
};

const char top_letters[TOP_NR_BARS] = { 'F', 'B', 'S', 'R' };

static const char * const sort_metrics[TOP_NR_SORTS] = {
	NULL, "frontend_bound", "backend_bound", "bad_speculation", "retiring", "ipc"
};

const char *top_sort_name(enum top_sort sort)
{
	return sort_metrics[sort] ? sort_metrics[sort] : "place";
}

/* Return: the current row of a place. */
static size_t row_of(const struct top *top, size_t place)
{
	size_t row = 0;

	while (top->order[row] != place)
		row++;
	return row;
}

static bool on_screen(const struct top *top, size_t row)
{
	return row >= top->first && row < top->first + top->rows;
}

static void order_rows(struct top *top)
{
	const struct choice *choice = &top->choice;
	int metric = top->sort == TOP_BY_PLACE ? -1 : catalog_find_metric(sort_metrics[top->sort]);

	if (metric < 0)
		order_by_place(top->order, choice);
	else
		order_by_column(top->order, choice, &top->snapshot, choice_column(choice, metric),
				snapshot_estimate_at, top->ascending);
}

void top_sort(struct top *top)
{
	size_t place = top->order[top->selected], row;

	order_rows(top);
	row = row_of(top, place);
	if (top->view != TOP_LIST || top->sort == TOP_BY_PLACE || on_screen(top, row))
		top->selected = row;
}

void top_sort_by(struct top *top, enum top_sort sort, bool ascending)
{
	top->sort = sort;
	top->ascending = ascending;
	top_sort(top);
	if (sort != TOP_BY_PLACE && top->view == TOP_LIST)
		top->selected = 0;
}
