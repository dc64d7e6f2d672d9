// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* n3stat top: what is shown, apart from how it is drawn. */
#include "catalog.h"
#include "order.h"
#include "top_state.h"

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

void top_sort(struct top *top)
{
	const struct choice *choice = &top->choice;
	int metric = top->sort == TOP_BY_PLACE ? -1 : catalog_find_metric(sort_metrics[top->sort]);
	size_t place = top->order[top->selected];

	if (metric < 0)
		order_by_place(top->order, choice);
	else
		order_by_column(top->order, choice, &top->snapshot, choice_column(choice, metric),
				snapshot_estimate_at);
	for (size_t i = 0; i < choice->places.nr; i++)
		if (top->order[i] == place)
			top->selected = i;
}
