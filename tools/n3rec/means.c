// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Means of a recording as values, from which the tree follows, and facts for advice. */
#include <string.h>

#include "lib/memory.h"
#include "libn3telemetry/catalog.h"
#include "report.h"

#define NOT_RECORDED	"not recorded"	/* for the place */

static struct value mean_of(const struct summary *summary, const struct summary_cell *cell,
			    const char *unit)
{
	struct value mean;
	double error;

	if (!cell->numbers)
		return value_of_text(strcmp(cell->word, NO_VALUE) ? cell->word : NOT_RECORDED);
	mean = (struct value) { .is_number = true, .number = cell->mean, .has_coverage = true };
	if (summary_error_is_useful(summary, cell, unit, &error)) {
		mean.has_range = true;
		mean.low = cell->mean - error;
		mean.high = cell->mean + error;
	}
	return mean;
}

struct value *means_of(const struct recording *recording, const struct summary *summary,
		       size_t place)
{
	size_t nr = (size_t)catalog_nr_metrics();
	struct value *means = xcalloc(nr, sizeof(*means));

	for (size_t i = 0; i < nr; i++)
		means[i] = value_of_text(NOT_RECORDED);
	for (size_t i = 0; i < recording->nr_columns; i++)
		if (recording->columns[i].metric >= 0 && recording_is_first(recording, i))
			means[recording->columns[i].metric] =
				mean_of(summary, summary_at(summary, place, i),
					recording->columns[i].unit);
	return means;
}

const struct value *means_at(const void *means, int metric)
{
	return (const struct value *)means + metric;
}

struct advice_facts facts_of_recording(const struct recording *recording)
{
	return (struct advice_facts) {
		.spe = recording_about(recording, "spe"),
		.simulated = recording_about(recording, "simulated"),
	};
}
