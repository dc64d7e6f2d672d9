// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Limits of all tables of "n3stat spe report". */
#include "errors.h"
#include "lib/memory.h"
#include "report_sheets.h"

static void add_if(struct spe_sheet *sheet, const char *key, const char *title, uint64_t count)
{
	if (count)
		spe_fact_count(sheet, key, title, count);
}

static void add_lost(struct spe_sheet *sheet, const struct spe_limits *limits)
{
	spe_fact_count(sheet, "truncated", "windows truncated, buffer full", limits->truncated);
	spe_fact_count(sheet, "partial", "windows with gaps inside", limits->partial);
	spe_fact_count(sheet, "gaps", "gaps in buffers", limits->gaps);
	spe_fact_count(sheet, "gap_bytes", "bytes missing in gaps", limits->gap_bytes);
	add_if(sheet, "lost_perf_records", "perf's own records lost", limits->lost_perf);
}

static void add_file(struct spe_sheet *sheet, const struct spe_recording *recording)
{
	const struct spe_limits *limits = &recording->limits;
	const struct spe_file *file = &recording->file;
	bool complete = !file->damaged_at && !file->is_unfinished && !file->lacks_sections;

	spe_fact_count(sheet, "damaged_records", "damaged records, left out", limits->damaged);
	spe_fact_count(sheet, "bad_bytes", "bad bytes", limits->bad_bytes);
	spe_fact_count(sheet, "unknown_packets", "packets of unknown meaning", limits->unknown);
	spe_fact_text(sheet, "complete", "recording is complete", complete ? "yes" : "no");
}

static const char * const reasons[SPE_NR_LOSSES] = {
	[SPE_LOST_OTHER] = "other",
	[SPE_LOST_TRUNCATED] = "buffer full or faulty",
	[SPE_LOST_STALLED] = "stopped by the kernel",
	[SPE_LOST_PERF] = "perf's records lost",
	[SPE_LOST_OFFLINE] = "CPU offline",
	[SPE_LOST_UNKNOWN_SIZE] = "impossible size",
	[SPE_LOST_PARTIAL] = "gaps within data",
	[SPE_LOST_BYTES] = "bytes missing",
	[SPE_LOST_SILENT] = "silent until the end, though it ran tasks",
};

static void add_loss(struct spe_sheet *sheet, const struct spe_recording *recording, size_t index,
		     enum spe_lost_reason reason)
{
	const struct spe_cpu *cpu = &recording->cpus[index];

	if (index)
		spe_cell_count(sheet, index - 1);
	else
		spe_cell_none(sheet);
	spe_cell_count(sheet, cpu->losses[reason]);
	if (reason == SPE_LOST_BYTES)
		spe_cell_count(sheet, cpu->lost_bytes);
	else
		spe_cell_none(sheet);
	spe_cell_text(sheet, reasons[reason]);
}

/* Why samples of each CPU are missing. */
void spe_add_losses(struct spe_sheets *sheets, const struct spe_summary *summary)
{
	const struct spe_recording *recording = summary->recording;
	static const struct spe_column columns[] = {
		SPE_COLUMN("cpu", "CPU"), SPE_COLUMN("windows", "windows"),
		SPE_COLUMN("bytes", "bytes"), SPE_COLUMN("reason", "reason")
	};
	struct spe_sheet *sheet = spe_sheet_new(sheets, "losses", "Missing samples", columns,
						NR(columns));

	for (size_t i = 0; i < recording->nr_cpus; i++)
		for (size_t reason = 0; reason < SPE_NR_LOSSES; reason++)
			if (recording->cpus[i].losses[reason])
				add_loss(sheet, recording, i, reason);
}

/* A recorder that lost a CPU and did not say so. */
void spe_losses_warn(const struct spe_recording *recording)
{
	for (size_t i = 1; i < recording->nr_cpus; i++)
		if (recording->cpus[i].losses[SPE_LOST_SILENT])
			warn(ERR_SILENT_CPU, "%s: CPU %zu: no samples in the last %.3f s, though "
			     "it ran tasks; n3stat spe record restarts SPE",
			     recording->file.input.name, i - 1,
			     (double)(recording->cpus[i].last_switch -
				      recording->cpus[i].last_sample) / 1e9);
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
	add_if(sheet, "no_pc", "records without an address of code", summary->no_pc);
	spe_fact_count(sheet, "no_process", "records of an unknown process", summary->no_process);
	spe_fact_count(sheet, "no_map", "records of code of no known file", summary->no_map);
	add_if(sheet, "other_file", "records of files that are not those here",
	       summary->other_file);
	spe_fact_count(sheet, "no_symbol", "records of code without a symbol", summary->no_symbol);
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
