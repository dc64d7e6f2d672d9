// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Exact tables of "n3stat spe report": operations, latencies, sources, events. */
#include <inttypes.h>
#include <stdlib.h>

#include "lib/memory.h"
#include "report_sheets.h"

#define LATENCY_COLUMNS \
	{ "mean", "mean" }, { "p50", "p50" }, { "p90", "p90" }, { "p99", "p99" }, \
	{ "max", "max" }, { "saturated", "saturated" }

static const double percents[] = { 50, 90, 99 };

static void add_histogram(struct spe_sheet *sheet, const struct spe_histogram *histogram,
			  uint16_t limit)
{
	if (!histogram->nr) {
		for (size_t i = 0; i < NR(percents) + 3; i++)
			spe_cell_none(sheet);
		return;
	}
	spe_cell_number_at_least(sheet, (double)histogram->sum / (double)histogram->nr,
				 histogram->saturated);
	for (size_t i = 0; i < NR(percents); i++) {
		uint16_t value = spe_percentile(histogram, percents[i]);

		spe_cell_at_least(sheet, value, histogram->saturated && value >= limit);
	}
	spe_cell_at_least(sheet, histogram->max, histogram->saturated);
	spe_cell_count(sheet, histogram->saturated);
}

/* Value of a saturated counter. */
static uint16_t limit_of(const struct spe_summary *summary)
{
	return (uint16_t)((1u << summary->bits) - 1);
}

static void add_info(struct spe_sheet *sheet, const struct spe_recording *recording,
		     const char *key, const char *title)
{
	char *value = spe_recording_info(recording, key);

	if (value)
		spe_fact_text(sheet, key, title, value);
	free(value);
}

static void add_recording(struct spe_sheets *sheets, const struct spe_summary *summary)
{
	const struct spe_recording *recording = summary->recording;
	struct spe_sheet *sheet = spe_facts_new(sheets, "recording", "Recording");

	spe_fact_text(sheet, "file", "file", recording->file.input.name);
	add_info(sheet, recording, "host", "host");
	add_info(sheet, recording, "date", "date");
	add_info(sheet, recording, "machine", "machine");
	add_info(sheet, recording, "kernel", "kernel");
	add_info(sheet, recording, "command", "command");
	add_info(sheet, recording, "event", "event");
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

static void add_operations(struct spe_sheets *sheets, const struct spe_summary *summary)
{
	static const struct spe_column columns[] = {
		{ "operation", "operation" }, { "records", "records" },
		{ SPE_SHARE_KEY, "share %" }, LATENCY_COLUMNS
	};
	static const char * const names[] = {
		[SPE_KIND_LOAD] = "load", [SPE_KIND_STORE] = "store",
		[SPE_KIND_ATOMIC] = "atomic", [SPE_KIND_BRANCH] = "branch",
		[SPE_KIND_OTHER] = "other", [SPE_KIND_UNKNOWN] = "unknown",
	};
	struct spe_sheet *sheet = spe_sheet_new(sheets, "operations",
						"Operations, with total latency in cycles",
						columns, NR(columns));

	for (size_t i = 0; i < SPE_NR_KINDS; i++) {
		if (!summary->kinds[i])
			continue;
		spe_cell_text(sheet, names[i]);
		spe_cell_count(sheet, summary->kinds[i]);
		spe_cell_share(sheet, summary->kinds[i], summary->records);
		add_histogram(sheet, &summary->by_kind[i], limit_of(summary));
	}
}

static void add_latencies(struct spe_sheets *sheets, const struct spe_summary *summary)
{
	static const struct spe_column columns[] = {
		{ "latency", "latency" }, { "records", "records" }, LATENCY_COLUMNS
	};
	const struct {
		const char *name;
		const struct spe_histogram *histogram;
	} rows[] = {
		{ "total", &summary->all },
		{ "issue", &summary->issue },
		{ "translation", &summary->translation },
	};
	struct spe_sheet *sheet = spe_sheet_new(sheets, "latency", "Latency, cycles", columns,
						NR(columns));

	for (size_t i = 0; i < NR(rows); i++) {
		spe_cell_text(sheet, rows[i].name);
		spe_cell_count(sheet, rows[i].histogram->nr);
		add_histogram(sheet, rows[i].histogram, limit_of(summary));
	}
}

static void add_source(struct spe_sheet *sheet, const struct spe_summary *summary, size_t slot,
		       uint64_t all)
{
	if (!summary->sources[slot])
		return;
	spe_cell_take(sheet, spe_slot_name(slot));
	spe_cell_count(sheet, summary->sources[slot]);
	spe_cell_share(sheet, summary->sources[slot], all);
	add_histogram(sheet, &summary->by_source[slot], limit_of(summary));
}

/* By number: with names on known cores, without on others. */
static void add_sources(struct spe_sheets *sheets, const struct spe_summary *summary)
{
	static const struct spe_column columns[] = {
		{ "source", "source" }, { "records", "records" }, { SPE_SHARE_KEY, "share %" },
		LATENCY_COLUMNS
	};
	struct spe_sheet *sheet = spe_sheet_new(sheets, "sources",
						"Data sources of loads, with total latency",
						columns, NR(columns));
	uint64_t all = 0;

	for (size_t slot = 0; slot < SPE_NR_SOURCES; slot++)
		all += summary->sources[slot];
	for (size_t source = 0; source < SPE_NR_RAW_SOURCES; source++) {
		size_t known = spe_source_slot(true, source);

		if (known < SPE_NR_NAMED_SOURCES)
			add_source(sheet, summary, known, all);
		add_source(sheet, summary, spe_source_slot(false, source), all);
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

static void add_event(struct spe_sheet *sheet, const struct spe_summary *summary, unsigned int bit)
{
	size_t i = 0;

	if (!summary->events[bit])
		return;
	while (i < NR(events) && events[i].bit != bit)
		i++;
	/* The only implementation defined event among these. */
	if (bit == SPE_EVENT_LATE_PREFETCH && !spe_recording_is_known(summary->recording))
		i = NR(events);
	spe_cell_count(sheet, bit);
	if (i < NR(events)) {
		spe_cell_text(sheet, events[i].key);
		spe_cell_text(sheet, events[i].title);
	} else {
		spe_cell_take(sheet, format_string("bit_%u", bit));
		spe_cell_take(sheet, format_string("bit %u, of no known meaning", bit));
	}
	spe_cell_count(sheet, summary->events[bit]);
	spe_cell_share(sheet, summary->events[bit], summary->records);
}

static void add_events(struct spe_sheets *sheets, const struct spe_summary *summary)
{
	static const struct spe_column columns[] = {
		{ "bit", "bit" }, { "event", "event" }, { "meaning", "meaning" },
		{ "records", "records" }, { SPE_SHARE_KEY, "share %" }
	};
	struct spe_sheet *sheet = spe_sheet_new(sheets, "events", "Events of the operations",
						columns, NR(columns));

	for (unsigned int bit = 0; bit < SPE_NR_EVENTS; bit++)
		add_event(sheet, summary, bit);
}

void spe_add_totals(struct spe_sheets *sheets, const struct spe_summary *summary)
{
	add_recording(sheets, summary);
	add_operations(sheets, summary);
	add_latencies(sheets, summary);
	add_sources(sheets, summary);
	add_events(sheets, summary);
}
