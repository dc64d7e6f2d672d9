// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Limits of all tables of "n3stat spe report". */
#include "lib/memory.h"
#include "report_sheets.h"

static void add_if(struct spe_sheet *sheet, const char *key, const char *title, uint64_t count)
{
	if (count)
		spe_fact_count(sheet, key, title, count);
}

static void add_lost(struct spe_sheet *sheet, const struct spe_limits *limits)
{
	static const struct {
		uint32_t reason;
		const char *key, *title;
	} reasons[] = {
		{ SPE_LOST_TRUNCATED, "lost_buffer_full", "lost windows: buffer full" },
		{ SPE_LOST_STALLED, "lost_stalled", "lost windows: the kernel had stopped" },
		{ SPE_LOST_OFFLINE, "lost_offline", "lost windows: CPU offline" },
		{ SPE_LOST_UNKNOWN_SIZE, "lost_bad_size", "lost windows: impossible size" },
		{ 0, "lost_other", "lost windows: other reasons" },
	};
	uint64_t all = 0;

	for (size_t i = 0; i < NR(reasons); i++)
		all += limits->lost[reasons[i].reason];
	spe_fact_count(sheet, "lost_windows", "lost windows", all);
	for (size_t i = 0; i < NR(reasons); i++)
		add_if(sheet, reasons[i].key, reasons[i].title, limits->lost[reasons[i].reason]);
	add_if(sheet, "lost_perf_records", "perf's own records lost", limits->lost_perf);
	spe_fact_count(sheet, "gaps", "gaps in buffers", limits->gaps);
	spe_fact_count(sheet, "gap_bytes", "bytes missing in gaps", limits->gap_bytes);
	spe_fact_count(sheet, "truncated", "windows truncated", limits->truncated);
	spe_fact_count(sheet, "partial", "windows with gaps inside", limits->partial);
}

static void add_file(struct spe_sheet *sheet, const struct spe_recording *recording)
{
	const struct spe_limits *limits = &recording->limits;
	const struct spe_file *file = &recording->file;

	spe_fact_count(sheet, "damaged_records", "damaged records, left out", limits->damaged);
	spe_fact_count(sheet, "bad_bytes", "bad bytes", limits->bad_bytes);
	spe_fact_count(sheet, "unknown_packets", "packets of unknown meaning", limits->unknown);
	add_if(sheet, "bad_perf_chunks", "damaged chunks of perf's records", limits->bad_perf);
	add_if(sheet, "bad_aux_chunks", "damaged headers of windows", limits->bad_headers);
	add_if(sheet, "skipped_bytes", "damaged bytes of the file", file->skipped);
	spe_fact_text(sheet, "complete", "recording is complete",
		      recording->has_end && !file->damaged ? "yes" : "no");
}

/* Maximum undercount of each list. */
static void add_bounds(struct spe_sheet *sheet, const struct spe_summary *summary)
{
	add_if(sheet, "processes_error", "processes: counts too small by at most",
	       summary->processes.error);
	add_if(sheet, "functions_error", "functions: counts too small by at most",
	       summary->functions.error);
	add_if(sheet, "instructions_error", "instructions: counts too small by at most",
	       summary->instructions.error);
	add_if(sheet, "addresses_error", "data addresses: counts too small by at most",
	       summary->data.error);
	add_if(sheet, "lines_error", "cache lines: counts too small by at most",
	       summary->lines.error);
}

static void add_unplaced(struct spe_sheet *sheet, const struct spe_summary *summary)
{
	const struct spe_recording *recording = summary->recording;

	add_if(sheet, "no_pc", "records without an address of code", summary->no_pc);
	spe_fact_count(sheet, "no_process", "records of an unknown process", summary->no_process);
	spe_fact_count(sheet, "no_map", "records of code of no known file", summary->no_map);
	add_if(sheet, "other_file", "records of files that are not those here",
	       summary->other_file);
	spe_fact_count(sheet, "no_symbol", "records of code without a symbol", summary->no_symbol);
	add_if(sheet, "dropped_maps", "records about tasks left out, too many",
	       recording->tasks.dropped + recording->tasks.threads.dropped);
	add_if(sheet, "dropped_switches", "task switches left out, too many",
	       recording->switches.dropped);
}

void spe_add_limits(struct spe_sheets *sheets, const struct spe_summary *summary)
{
	const struct spe_recording *recording = summary->recording;
	struct spe_sheet *sheet = spe_facts_new(sheets, "limits", "What limits this");

	spe_fact_count(sheet, "collisions", "windows with collisions",
		       recording->limits.collisions);
	add_lost(sheet, &recording->limits);
	add_file(sheet, recording);
	add_unplaced(sheet, summary);
	add_bounds(sheet, summary);
	if (recording->period != spe_recording_period(recording))
		add_if(sheet, "period_requested", "period asked for; the driver cuts it",
		       recording->period);
	spe_sheet_note(sheet,
		       "SPE samples micro-operations, not instructions: one that takes several is "
		       "sampled more often. Only loads have a data source. Counts are of records: "
		       "times the period they estimate micro-operations, speculative ones included. "
		       "Counters that read their maximum mean at least that.");
}
