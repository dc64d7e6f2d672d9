// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Tables of "n3stat spe report": processes, data, and limits of all tables. */
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "report_lists.h"

#define WORDS		8	/* per cache line */

static void add_owner(struct spe_sheet *sheet, const struct spe_summary *summary, uint32_t owner)
{
	if (owner >= SPE_NO_LIFE)
		spe_cell_take(sheet, spe_owner_name(summary->resolver, owner));
	else
		spe_cell_take(sheet, spe_life_label(&summary->recording->tasks, owner));
}

static void add_processes(struct spe_sheets *sheets, const struct spe_summary *summary,
			  const struct spe_lists *lists)
{
	static const struct spe_column columns[] = {
		SPE_COUNT_COLUMNS, { "process", "process" }
	};
	struct spe_sheet *sheet = spe_list_new(sheets, "processes", "Processes", columns,
					       NR(columns), lists->order);
	uint64_t all = spe_total(summary, lists->order);
	size_t nr, i;
	struct spe_entry **list = spe_sorted(&summary->processes, lists->order, &nr);

	for (i = 0; i < nr && i < lists->top; i++) {
		spe_add_counts(sheet, list[i], lists->order->key(list[i]), all);
		add_owner(sheet, summary, list[i]->owner);
	}
	spe_note_bound(sheet, &summary->processes, i, nr);
	free(list);
}

static void add_addresses(struct spe_sheets *sheets, const struct spe_summary *summary,
			  const struct spe_lists *lists)
{
	static const struct spe_column columns[] = {
		SPE_COUNT_COLUMNS, { "address", "address" }, { "process", "process" }
	};
	struct spe_sheet *sheet = spe_list_new(sheets, "addresses", "Data addresses", columns,
					       NR(columns), lists->order);
	uint64_t all = spe_total(summary, lists->order);
	size_t nr, i;
	struct spe_entry **list = spe_sorted(&summary->data, lists->order, &nr);

	for (i = 0; i < nr && i < lists->top; i++) {
		spe_add_counts(sheet, list[i], lists->order->key(list[i]), all);
		spe_cell_hex(sheet, list[i]->address);
		add_owner(sheet, summary, list[i]->owner);
	}
	spe_note_bound(sheet, &summary->data, i, nr);
	free(list);
}

/* Accessed eighths of a line as x and '.', lowest address first. */
static void add_words(struct spe_sheet *sheet, uint32_t words)
{
	char text[WORDS + 1] = "";

	for (unsigned int i = 0; i < WORDS; i++)
		text[i] = words >> i & 1 ? 'x' : '.';
	spe_cell_text(sheet, text);
}

static void add_line(struct spe_sheet *sheet, const struct spe_summary *summary,
		     const struct spe_line *line, uint64_t key, uint64_t all)
{
	spe_add_counts(sheet, &line->entry, key, all);
	spe_cell_count(sheet, spe_line_cpus(line, false));
	spe_cell_count(sheet, spe_line_cpus(line, true));
	add_words(sheet, line->words);
	spe_cell_hex(sheet, line->entry.address);
	add_owner(sheet, summary, line->entry.owner);
	spe_cell_take(sheet, spe_code_name(summary->resolver, line->code_owner, line->code));
}

static uint64_t contention(const struct spe_entry *entry)
{
	const struct spe_line *line = (const struct spe_line *)entry;

	return spe_line_is_contended(line) ? (uint64_t)entry->peer + entry->stores : 0;
}

static const struct spe_order contended = { "contended", "share %", contention };

/* Contention is a property of lines: other records have none. */
static uint64_t total_of_lines(const struct spe_summary *summary, const struct spe_order *order,
			       struct spe_entry **list, size_t nr)
{
	uint64_t all = 0;

	if (order != &contended)
		return spe_total(summary, order);
	for (size_t i = 0; i < nr; i++)
		all += order->key(list[i]);
	return all;
}

static void add_lines(struct spe_sheets *sheets, const struct spe_summary *summary,
		      const struct spe_lists *lists, const char *key, const char *title)
{
	static const struct spe_column columns[] = {
		SPE_COUNT_COLUMNS, { "cpus", "CPUs" }, { "writers", "writers" },
		{ "words", "words" }, { "address", "address" }, { "process", "of" },
		{ "code", "last code" }
	};
	struct spe_sheet *sheet = spe_list_new(sheets, key, title, columns, NR(columns),
					       lists->order);
	size_t nr, i;
	struct spe_entry **list = spe_sorted(&summary->lines, lists->order, &nr);
	uint64_t all = total_of_lines(summary, lists->order, list, nr);

	for (i = 0; i < nr && i < lists->top; i++)
		add_line(sheet, summary, (struct spe_line *)list[i], lists->order->key(list[i]),
			 all);
	spe_note_bound(sheet, &summary->lines, i, nr);
	free(list);
}

void spe_add_data(struct spe_sheets *sheets, const struct spe_summary *summary,
		  const struct spe_lists *lists)
{
	struct spe_lists by = { &contended, lists->top };

	add_processes(sheets, summary, lists);
	add_addresses(sheets, summary, lists);
	add_lines(sheets, summary, lists, "cache_lines", "Cache lines (64 bytes)");
	add_lines(sheets, summary, &by, "contended",
		  "Cache lines that several CPUs fight for, by peer loads and stores");
}

static void add_number(struct spe_sheet *sheet, const char *key, const char *title, uint64_t count)
{
	spe_fact(sheet, key, title);
	spe_cell_count(sheet, count);
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
	add_number(sheet, "lost_windows", "lost windows", all);
	for (size_t i = 0; i < NR(reasons); i++)
		if (limits->lost[reasons[i].reason])
			add_number(sheet, reasons[i].key, reasons[i].title,
				   limits->lost[reasons[i].reason]);
	if (limits->lost_perf)
		add_number(sheet, "lost_perf_records", "perf's own records lost",
			   limits->lost_perf);
	add_number(sheet, "gaps", "gaps in buffers", limits->gaps);
	add_number(sheet, "gap_bytes", "bytes missing in gaps", limits->gap_bytes);
	add_number(sheet, "truncated", "windows truncated", limits->truncated);
	add_number(sheet, "partial", "windows with gaps inside", limits->partial);
}

static void add_file(struct spe_sheet *sheet, const struct spe_recording *recording)
{
	const struct spe_limits *limits = &recording->limits;
	const struct spe_file *file = &recording->file;

	add_number(sheet, "damaged_records", "damaged records, left out", limits->damaged);
	add_number(sheet, "bad_bytes", "bad bytes", limits->bad_bytes);
	add_number(sheet, "unknown_packets", "packets of unknown meaning", limits->unknown);
	if (limits->bad_perf)
		add_number(sheet, "bad_perf_chunks", "damaged chunks of perf's records",
			   limits->bad_perf);
	if (limits->bad_headers)
		add_number(sheet, "bad_aux_chunks", "damaged headers of windows",
			   limits->bad_headers);
	if (file->skipped)
		add_number(sheet, "skipped_bytes", "damaged bytes of the file", file->skipped);
	spe_fact(sheet, "complete", "recording is complete");
	spe_cell_text(sheet, recording->has_end && !file->damaged ? "yes" : "no");
}

/* Maximum undercount of a list. */
static void add_bounds(struct spe_sheet *sheet, const struct spe_summary *summary)
{
	const struct {
		const char *key, *title;
		const struct spe_table *table;
	} bounds[] = {
		{ "processes_error", "processes: counts too small by at most",
		  &summary->processes },
		{ "functions_error", "functions: counts too small by at most",
		  &summary->functions },
		{ "instructions_error", "instructions: counts too small by at most",
		  &summary->instructions },
		{ "addresses_error", "data addresses: counts too small by at most",
		  &summary->data },
		{ "lines_error", "cache lines: counts too small by at most", &summary->lines },
	};

	for (size_t i = 0; i < NR(bounds); i++)
		if (bounds[i].table->error)
			add_number(sheet, bounds[i].key, bounds[i].title, bounds[i].table->error);
}

static void add_unplaced(struct spe_sheet *sheet, const struct spe_summary *summary)
{
	const struct spe_recording *recording = summary->recording;

	if (summary->no_pc)
		add_number(sheet, "no_pc", "records without an address of code", summary->no_pc);
	add_number(sheet, "no_process", "records of an unknown process", summary->no_process);
	add_number(sheet, "no_map", "records of code of no known file", summary->no_map);
	if (summary->other_file)
		add_number(sheet, "other_file", "records of files that are not those here",
			   summary->other_file);
	add_number(sheet, "no_symbol", "records of code without a symbol", summary->no_symbol);
	if (recording->tasks.dropped)
		add_number(sheet, "dropped_maps", "records about tasks left out, too many",
			   recording->tasks.dropped);
	if (recording->switches.dropped)
		add_number(sheet, "dropped_switches", "task switches left out, too many",
			   recording->switches.dropped);
}

void spe_add_limits(struct spe_sheets *sheets, const struct spe_summary *summary)
{
	const struct spe_recording *recording = summary->recording;
	struct spe_sheet *sheet = spe_facts_new(sheets, "limits", "What limits this");

	add_number(sheet, "collisions", "windows with collisions", recording->limits.collisions);
	add_lost(sheet, &recording->limits);
	add_file(sheet, recording);
	add_unplaced(sheet, summary);
	add_bounds(sheet, summary);
	if (recording->period && recording->period != spe_recording_period(recording))
		add_number(sheet, "period_requested", "period asked for; the driver cuts it",
			   recording->period);
	spe_sheet_note(sheet,
		       "SPE samples micro-operations, not instructions: one that takes several is "
		       "sampled more often. Only loads have a data source. Counts are of records: "
		       "times the period they estimate micro-operations, speculative ones included. "
		       "Counters that read their maximum mean at least that.");
}
