// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Exact lists of "n3stat spe report": operations, latencies, sources, events, limits. */
#include <math.h>
#include <stdlib.h>

#include "lib/memory.h"
#include "report_sheets.h"

static const double percents[] = { 50, 90, 99 };

/* Smallest value not exceeded by @percent of all. */
static uint16_t percentile(const struct spe_histogram *histogram, double percent)
{
	uint64_t rank = (uint64_t)ceil((double)histogram->nr * percent / 100);
	const uint64_t *count = histogram->counts;

	for (uint64_t sum = *count; sum < rank; sum += *count)
		count++;
	return (uint16_t)(count - histogram->counts);
}

/* A row of records with a distribution of latencies; @all: 0 if they have no share. */
static void add_row(struct spe_sheet *sheet, const struct spe_summary *summary, char *name,
		    uint64_t nr, uint64_t all, const struct spe_histogram *histogram)
{
	bool saturated = histogram->max == summary->saturated;

	spe_cell_take(sheet, name);
	spe_cell_count(sheet, nr);
	if (all)
		spe_cell_share(sheet, nr, all);
	spe_cell_mean(sheet, histogram->sum, histogram->nr)->at_least = saturated;
	if (!histogram->nr) {
		for (size_t i = 0; i < NR(percents) + 2; i++)
			spe_cell(sheet, SPE_CELL_NONE);
		return;
	}
	for (size_t i = 0; i < NR(percents); i++) {
		uint16_t value = percentile(histogram, percents[i]);

		spe_cell_count(sheet, value)->at_least = value == summary->saturated;
	}
	spe_cell_count(sheet, histogram->max)->at_least = saturated;
	spe_cell_count(sheet, histogram->counts[summary->saturated]);
}

void spe_fill_recording(struct spe_sheet *sheet, const struct spe_summary *summary)
{
	const struct spe_recording *recording = summary->recording;
	const struct spe_file *file = &recording->file;
	const char * const facts[][2] = {
		{ "file", file->input.name }, { "host", file->host }, { "date", file->date },
		{ "machine", file->machine }, { "kernel", file->kernel },
		{ "command", file->command }, { "event", file->event },
	};

	for (size_t i = 0; i < NR(facts); i++)
		if (facts[i][1])
			spe_fact_text(sheet, facts[i][0], facts[i][0], facts[i][1]);
	if (recording->period)
		spe_fact_count(sheet, "period", "period, micro-operations",
			       spe_recording_period(recording));
	if (summary->timed)
		spe_fact(sheet, "seconds", "first to last record, s", SPE_CELL_SECONDS)->number =
			(double)(summary->last - summary->first) / 1e9;
	spe_fact_count(sheet, "records", "records", summary->total.count);
	spe_fact_if(sheet, "excluded", "records of other CPUs or processes", summary->excluded);
}

void spe_fill_operations(struct spe_sheet *sheet, const struct spe_summary *summary)
{
	static const char * const names[] = {
		[SPE_KIND_LOAD] = "load", [SPE_KIND_STORE] = "store",
		[SPE_KIND_ATOMIC] = "atomic", [SPE_KIND_BRANCH] = "branch",
		[SPE_KIND_OTHER] = "other", [SPE_KIND_UNKNOWN] = "unknown",
	};

	for (size_t i = 0; i < SPE_NR_KINDS; i++)
		if (summary->kinds[i])
			add_row(sheet, summary, xstrdup(names[i]), summary->kinds[i],
				summary->total.count, &summary->latencies[SPE_BY_KIND + i]);
}

void spe_fill_latency(struct spe_sheet *sheet, const struct spe_summary *summary)
{
	static const char * const names[] = {
		[SPE_TOTAL] = "total", [SPE_ISSUE] = "issue", [SPE_TRANSLATION] = "translation"
	};

	for (size_t i = 0; i < NR(names); i++)
		add_row(sheet, summary, xstrdup(names[i]), summary->latencies[i].nr, 0,
			&summary->latencies[i]);
}

/* By number: with names on known cores, without on others. */
void spe_fill_sources(struct spe_sheet *sheet, const struct spe_summary *summary)
{
	const struct spe_streams *streams = &summary->recording->streams;
	const uint32_t *sources = summary->total.sources;
	uint64_t all = 0;

	for (size_t slot = 0; slot < SPE_NR_SOURCES; slot++)
		all += sources[slot];
	for (size_t i = 0; i < 2 * SPE_NR_RAW_SOURCES; i++) {
		size_t slot = spe_source_slot(!(i % 2), i / 2);

		/* A number without a name has the same slot twice. */
		if (sources[slot] && (i % 2 || slot < SPE_NR_NAMED_SOURCES))
			add_row(sheet, summary, spe_slot_name(slot), sources[slot], all,
				&summary->latencies[SPE_BY_SOURCE + slot]);
	}
	if (!spe_recording_is_known(summary->recording))
		sheet->note = format_string("as numbers: their meaning on these cores is unknown%s",
					    streams->nr && !spe_recording_midr(summary->recording,
									       streams->v[0]->cpu) ?
					    "; name the core with --core" : "");
}

void spe_fill_events(struct spe_sheet *sheet, const struct spe_summary *summary)
{
	static const struct {
		const char *key, *title;
	} events[SPE_NR_EVENTS] = {
#define EVENT(b, k, t) \
		[b] = { #k, t },
#include "events.def.h"
#undef EVENT
	};

	for (unsigned int bit = 0; bit < SPE_NR_EVENTS; bit++) {
		/* The only implementation defined event among these. */
		bool is_named = events[bit].key && (bit != SPE_EVENT_LATE_PREFETCH ||
						    spe_recording_is_known(summary->recording));

		if (!summary->events[bit])
			continue;
		spe_cell_count(sheet, bit);
		spe_cell_take(sheet, is_named ? xstrdup(events[bit].key) :
						format_string("bit_%u", bit));
		spe_cell_text(sheet, is_named ? events[bit].title : "no known meaning");
		spe_cell_count(sheet, summary->events[bit]);
		spe_cell_share(sheet, summary->events[bit], summary->total.count);
	}
}

/* Why samples of each CPU are missing. */
void spe_fill_losses(struct spe_sheet *sheet, const struct spe_summary *summary)
{
	const struct spe_recording *recording = summary->recording;

	for (size_t i = 0; i < recording->nr_cpus * SPE_NR_LOSSES; i++) {
		size_t cpu = i / SPE_NR_LOSSES, reason = i % SPE_NR_LOSSES;

		if (!recording->cpus[cpu].losses[reason])
			continue;
		spe_cell(sheet, cpu ? SPE_CELL_COUNT : SPE_CELL_NONE)->count = cpu - 1;
		spe_cell_count(sheet, recording->cpus[cpu].losses[reason]);
		spe_cell(sheet, reason == SPE_LOST_BYTES ? SPE_CELL_COUNT : SPE_CELL_NONE)->count =
			recording->cpus[cpu].lost_bytes;
		spe_cell_text(sheet, spe_lost_text(reason));
	}
}

void spe_fill_limits(struct spe_sheet *sheet, const struct spe_summary *summary)
{
	static const char * const bounds[SPE_NR_TABLES][2] = {
		[SPE_PROCESSES] = { "processes_error", "processes: counts too small by at most" },
		[SPE_FUNCTIONS] = { "functions_error", "functions: counts too small by at most" },
		[SPE_INSTRUCTIONS] = { "instructions_error",
				       "instructions: counts too small by at most" },
		[SPE_DATA] = { "addresses_error", "data addresses: counts too small by at most" },
		[SPE_LINES] = { "lines_error", "cache lines: counts too small by at most" },
	};
	const struct spe_recording *recording = summary->recording;
	const struct spe_limits *limits = &recording->limits;
	const struct spe_file *file = &recording->file;
	bool complete = !file->damaged_at && !file->is_unfinished && !file->lacks_sections;

	spe_fact_count(sheet, "collisions", "windows with collisions", limits->collisions);
	spe_fact_count(sheet, "truncated", "windows truncated, buffer full", limits->truncated);
	spe_fact_count(sheet, "partial", "windows with gaps inside", limits->partial);
	spe_fact_count(sheet, "gaps", "gaps in buffers", limits->gaps);
	spe_fact_count(sheet, "gap_bytes", "bytes missing in gaps", limits->gap_bytes);
	spe_fact_if(sheet, "lost_perf_records", "perf's own records lost", limits->lost_perf);
	spe_fact_count(sheet, "damaged_records", "damaged records, left out", limits->damaged);
	spe_fact_count(sheet, "bad_bytes", "bad bytes", limits->bad_bytes);
	spe_fact_count(sheet, "unknown_packets", "packets of unknown meaning", limits->unknown);
	spe_fact_text(sheet, "complete", "recording is complete", complete ? "yes" : "no");
	spe_fact_if(sheet, "no_pc", "records without an address of code",
		    summary->total.count - summary->addressed);
	spe_fact_count(sheet, "no_process", "records of an unknown process", summary->no_process);
	spe_fact_count(sheet, "no_map", "records of code of no known file", summary->no_map);
	spe_fact_if(sheet, "other_file", "records of files that are not those here",
		    summary->other_file);
	spe_fact_count(sheet, "no_symbol", "records of code without a symbol", summary->no_symbol);
	for (size_t i = 0; i < SPE_NR_TABLES; i++)
		spe_fact_if(sheet, bounds[i][0], bounds[i][1], summary->tables[i].error);
	if (summary->tables[SPE_INSTRUCTIONS].error)
		spe_fact_count(sheet, "lines_records", "records of the instructions in lines",
			       summary->addressed - summary->tables[SPE_INSTRUCTIONS].dropped);
	if (recording->period != spe_recording_period(recording))
		spe_fact_if(sheet, "period_requested", "period asked for; the driver cuts it",
			    recording->period);
	sheet->note = xstrdup("SPE samples micro-operations, not instructions: one that takes "
			      "several is sampled more often. Only loads have a data source. "
			      "Counts are of records: times the period they estimate "
			      "micro-operations, speculative ones included. Counters that read "
			      "their maximum mean at least that.");
}
