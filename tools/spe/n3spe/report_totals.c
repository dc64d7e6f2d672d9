// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Exact tables of "n3stat spe report": operations, latencies, sources, events. */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/memory.h"
#include "report_sheets.h"

#define LATENCY_COLUMNS \
	SPE_COLUMN("mean", "mean"), SPE_COLUMN("p50", "p50"), SPE_COLUMN("p90", "p90"), \
	SPE_COLUMN("p99", "p99"), \
	SPE_COLUMN("max", "max"), SPE_COLUMN("saturated", "saturated", .rank = SPE_RANK_COUNTS)

static const double percents[] = { 50, 90, 99 };

/* Value of a saturated counter. */
static uint16_t limit_of(const struct spe_summary *summary)
{
	return (uint16_t)((1u << summary->bits) - 1);
}

/* A row of records with a distribution of latencies; @all: 0 if they have no share. */
static void add_row(struct spe_sheet *sheet, const struct spe_summary *summary, char *name,
		    uint64_t nr, uint64_t all, const struct spe_histogram *histogram)
{
	spe_cell_take(sheet, name);
	spe_cell_count(sheet, nr);
	if (all)
		spe_cell_share(sheet, nr, all);
	if (!histogram->nr) {
		for (size_t i = 0; i < NR(percents) + 3; i++)
			spe_cell_none(sheet);
		return;
	}
	spe_cell_number_at_least(sheet, (double)histogram->sum / (double)histogram->nr,
				 histogram->saturated);
	for (size_t i = 0; i < NR(percents); i++) {
		uint16_t value = spe_percentile(histogram, percents[i]);

		spe_cell_at_least(sheet, value,
				  histogram->saturated && value >= limit_of(summary));
	}
	spe_cell_at_least(sheet, histogram->max, histogram->saturated);
	spe_cell_count(sheet, histogram->saturated);
}

void spe_add_recording(struct spe_sheets *sheets, const struct spe_summary *summary)
{
	static const char * const keys[] = {
		"host", "date", "machine", "kernel", "command", "event"
	};
	const struct spe_recording *recording = summary->recording;
	struct spe_sheet *sheet = spe_facts_new(sheets, "recording", "Recording");

	spe_fact_text(sheet, "file", "file", recording->file.input.name);
	for (size_t i = 0; i < NR(keys); i++) {
		char *value = spe_recording_info(recording, keys[i]);

		if (value)
			spe_fact_text(sheet, keys[i], keys[i], value);
		free(value);
	}
	if (recording->period)
		spe_fact_count(sheet, "period", "period, micro-operations",
			       spe_recording_period(recording));
	if (summary->timed) {
		spe_fact(sheet, "seconds", "first to last record, s");
		spe_cell_seconds(sheet, (double)(summary->last - summary->first) / 1e9);
	}
	spe_fact_count(sheet, "records", "records", summary->records);
	if (summary->excluded)
		spe_fact_count(sheet, "excluded", "records of other CPUs or processes",
			       summary->excluded);
}

void spe_add_operations(struct spe_sheets *sheets, const struct spe_summary *summary)
{
	static const struct spe_column columns[] = {
		SPE_COLUMN("operation", "operation"), SPE_COLUMN("records", "records"),
		SPE_COLUMN(SPE_SHARE_KEY, "share %"), LATENCY_COLUMNS
	};
	static const char * const names[] = {
		[SPE_KIND_LOAD] = "load", [SPE_KIND_STORE] = "store",
		[SPE_KIND_ATOMIC] = "atomic", [SPE_KIND_BRANCH] = "branch",
		[SPE_KIND_OTHER] = "other", [SPE_KIND_UNKNOWN] = "unknown",
	};
	struct spe_sheet *sheet = spe_sheet_new(sheets, "operations",
						"Operations, with total latency in cycles",
						columns, NR(columns));

	for (size_t i = 0; i < SPE_NR_KINDS; i++)
		if (summary->kinds[i])
			add_row(sheet, summary, xstrdup(names[i]), summary->kinds[i],
				summary->records, &summary->by_kind[i]);
}

void spe_add_latency(struct spe_sheets *sheets, const struct spe_summary *summary)
{
	static const struct spe_column columns[] = {
		SPE_COLUMN("latency", "latency"), SPE_COLUMN("records", "records"), LATENCY_COLUMNS
	};
	struct spe_sheet *sheet = spe_sheet_new(sheets, "latency", "Latency, cycles", columns,
						NR(columns));

	add_row(sheet, summary, xstrdup("total"), summary->all.nr, 0, &summary->all);
	add_row(sheet, summary, xstrdup("issue"), summary->issue.nr, 0, &summary->issue);
	add_row(sheet, summary, xstrdup("translation"), summary->translation.nr, 0,
		&summary->translation);
}

/* By number: with names on known cores, without on others. */
void spe_add_sources(struct spe_sheets *sheets, const struct spe_summary *summary)
{
	static const struct spe_column columns[] = {
		SPE_COLUMN("source", "source"), SPE_COLUMN("records", "records"),
		SPE_COLUMN(SPE_SHARE_KEY, "share %"),
		LATENCY_COLUMNS
	};
	struct spe_sheet *sheet = spe_sheet_new(sheets, "sources",
						"Data sources of loads, with total latency in cycles",
						columns, NR(columns));
	uint64_t all = 0;

	for (size_t slot = 0; slot < SPE_NR_SOURCES; slot++)
		all += summary->sources[slot];
	for (size_t i = 0; i < 2 * SPE_NR_RAW_SOURCES; i++) {
		size_t slot = spe_source_slot(!(i % 2), i / 2);

		/* A number without a name has the same slot twice. */
		if (summary->sources[slot] && (i % 2 || slot < SPE_NR_NAMED_SOURCES))
			add_row(sheet, summary, spe_slot_name(slot), summary->sources[slot], all,
				&summary->by_source[slot]);
	}
	if (!spe_recording_is_known(summary->recording))
		spe_sheet_note(sheet, "as numbers: their meaning on these cores is not known");
}

static const struct {
	uint8_t bit;
	const char *key, *title;
} events[] = {
#define EVENT(b, k, t)	{ .bit = b, .key = #k, .title = t },
#include "events.def.h"
#undef EVENT
};

void spe_add_events(struct spe_sheets *sheets, const struct spe_summary *summary)
{
	static const struct spe_column columns[] = {
		SPE_COLUMN("bit", "bit"),
		SPE_COLUMN("event", "event", .rank = SPE_RANK_COUNTS),
		SPE_COLUMN("meaning", "meaning"),
		SPE_COLUMN("records", "records"), SPE_COLUMN(SPE_SHARE_KEY, "share %")
	};
	struct spe_sheet *sheet = spe_sheet_new(sheets, "events", "Events of the operations",
						columns, NR(columns));

	for (unsigned int bit = 0; bit < SPE_NR_EVENTS; bit++) {
		size_t i = 0;

		if (!summary->events[bit])
			continue;
		while (i < NR(events) && events[i].bit != bit)
			i++;
		/* The only implementation defined event among these. */
		if (bit == SPE_EVENT_LATE_PREFETCH && !spe_recording_is_known(summary->recording))
			i = NR(events);
		spe_cell_count(sheet, bit);
		spe_cell_take(sheet, i < NR(events) ? xstrdup(events[i].key) :
						      format_string("bit_%u", bit));
		spe_cell_text(sheet, i < NR(events) ? events[i].title : "no known meaning");
		spe_cell_count(sheet, summary->events[bit]);
		spe_cell_share(sheet, summary->events[bit], summary->records);
	}
}
