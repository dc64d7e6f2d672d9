// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Lists of "n3stat spe report": the most frequent code, processes and data. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "lib/memory.h"
#include "report_sheets.h"

#define WORDS		8	/* per cache line */

/* Sort keys of lists, in addition to enum spe_count. */
enum { BY_RECORDS = SPE_NR_COUNTS, BY_LATENCY, BY_CONTENTION };

/* Names for --sort, headings of the shares of all keys, columns of the text to be kept. */
static const struct {
	const char *name, *share;
	unsigned int kept;
} orders[] = {
	[BY_RECORDS] = { "records", "share %" },
	[BY_LATENCY] = { "latency", "% cycles", 1u << 2 },
#define KEPT(count)	(1u << (3 + (count)))
	[SPE_LOADS] = { "loads", "% loads", KEPT(SPE_LOADS) },
	[SPE_MISPREDICTED] = { "mispredicted", "% mispred.", KEPT(SPE_MISPREDICTED) },
	[SPE_WALKS] = { "walks", "% walks", KEPT(SPE_WALKS) },
	[SPE_LATE] = { "late", "% late", KEPT(SPE_LATE) },
	[SPE_PEER] = { "peer", "% peer", KEPT(SPE_PEER) },
	/* The words are behind the counts, source, CPUs and writers. */
	[BY_CONTENTION] = { NULL, "share %", KEPT(SPE_STORES) | KEPT(SPE_PEER) |
					     KEPT(SPE_NR_COUNTS + 3) },
};

int spe_order_find(const char *name)
{
	char *known = NULL;
	int found = -1;

	for (int i = 0; i < BY_CONTENTION; i++) {
		if (orders[i].name)
			append_text(&known, ", ", "%s", orders[i].name);
		if (orders[i].name && !strcmp(orders[i].name, name))
			found = i;
	}
	if (found < 0)
		die(ERR_BAD_VALUE, "bad --sort '%s'; the keys are %s", name, known);
	free(known);
	return found;
}

/* Only cache lines have a contention. */
static uint64_t key_of(const struct spe_entry *entry, int order)
{
	if (order == BY_CONTENTION)
		return (uint64_t)entry->counts[SPE_PEER] + entry->counts[SPE_STORES];
	return order == BY_RECORDS ? entry->count :
	       order == BY_LATENCY ? entry->latency : entry->counts[order];
}

/* Largest key first. Ties are sorted by address, for reproducible lists. */
static int compare_entries(const void *a, const void *b, void *order)
{
	const struct spe_entry *left = *(struct spe_entry * const *)a;
	const struct spe_entry *right = *(struct spe_entry * const *)b;
	uint64_t left_key = key_of(left, *(int *)order), right_key = key_of(right, *(int *)order);

	if (left_key != right_key)
		return left_key > right_key ? -1 : 1;
	if (left->owner != right->owner)
		return left->owner < right->owner ? -1 : 1;
	return (left->address > right->address) - (left->address < right->address);
}

/* Return: the number of readers or writers. */
static unsigned int cpus_in(const uint64_t *cpus)
{
	unsigned int nr = 0;

	for (size_t i = 0; i < SPE_LINE_CPUS / 64; i++)
		nr += (unsigned int)__builtin_popcountll(cpus[i]);
	return nr;
}

/* Whether several CPUs use it and one of them writes it or fetched it from another. */
static bool is_contended(const struct spe_line *line)
{
	return line->entry.counts[SPE_PEER] ||
	       (cpus_in(line->readers) > 1 && cpus_in(line->writers));
}

/* Keeps and sorts the entries with a key. Return: the sum of their keys. */
static uint64_t sort(struct spe_entry **list, size_t *nr, int order)
{
	uint64_t all = 0;
	size_t kept = 0;

	for (size_t i = 0; i < *nr; i++) {
		uint64_t key = key_of(list[i], order);

		if (!key || (order == BY_CONTENTION && !is_contended((struct spe_line *)list[i])))
			continue;
		list[kept++] = list[i];
		all += key;
	}
	qsort_r(list, kept, sizeof(*list), compare_entries, &order);
	*nr = kept;
	return all;
}

/* The main data source of an entry's loads. */
static void add_main_source(struct spe_sheet *sheet, const struct spe_entry *entry)
{
	uint64_t all = 0;
	size_t best = 0;
	char *name;

	for (size_t i = 0; i < SPE_NR_SOURCES; i++) {
		all += entry->sources[i];
		if (entry->sources[i] > entry->sources[best])
			best = i;
	}
	if (!all) {
		spe_cell(sheet, SPE_CELL_NONE);
		return;
	}
	name = spe_slot_name(best);
	spe_cell_take(sheet, format_string("%s %.0f%%", name,
					   100.0 * entry->sources[best] / (double)all));
	free(name);
}

/* Columns of all lists, and their number. */
#define COUNT_COLUMNS \
	SPE_COLUMN("records", "records"), SPE_COLUMN(SPE_SHARE_KEY, "share %"), \
	SPE_COLUMN("latency", "cycles", .rank = 2), \
	SPE_COLUMN("loads", "loads", .rank = 6), SPE_COLUMN("stores", "stores", .rank = 9), \
	SPE_COLUMN("mispredicted", "mispred.", .rank = 7), \
	SPE_COLUMN("walks", "walks", .rank = 8), SPE_COLUMN("late", "late", .rank = 10), \
	SPE_COLUMN("peer", "peer", .rank = 5), \
	SPE_COLUMN("source", "source", .rank = 4)
#define NR_COUNT_COLUMNS	(SPE_NR_COUNTS + 4)

/* Adds an entry's cells after the counts. */
typedef void (*names_fn)(struct spe_sheet *sheet, const struct spe_summary *summary,
			 const struct spe_entry *entry);

static void name_process(struct spe_sheet *sheet, const struct spe_summary *summary,
			 const struct spe_entry *entry)
{
	spe_cell_take(sheet, entry->owner >= SPE_NO_LIFE ?
		      spe_owner_name(summary->resolver, entry->owner) :
		      spe_life_label(&summary->recording->tasks, entry->owner));
}

static void name_function(struct spe_sheet *sheet, const struct spe_summary *summary,
			  const struct spe_entry *entry)
{
	const char *name = spe_function_name(summary->resolver, entry->owner, entry->address);

	spe_cell_text(sheet, name ? name : "[no symbol]");
	spe_cell_take(sheet, spe_owner_name(summary->resolver, entry->owner));
}

/* Return: "function+0x10"; the caller frees it. */
static char *code_name(struct spe_resolver *resolver, uint32_t owner, uint64_t address)
{
	const char *name;
	uint64_t start;

	if (!spe_elf_address(resolver, owner, address, &start))
		return format_string("[offset 0x%" PRIx64 "]", address);
	name = spe_function_at(resolver, owner, address, &start);
	if (!name)
		return xstrdup("[no symbol]");
	return address == start ? xstrdup(name) :
				  format_string("%s+0x%" PRIx64, name, address - start);
}

static void add_line(struct spe_sheet *sheet, const struct spe_summary *summary,
		     const struct spe_entry *entry)
{
	const char *file;
	int line;

	if (spe_line_of(summary->resolver, entry->owner, entry->address, &file, &line))
		spe_cell_take(sheet, format_string("%s:%d", file, line));
	else
		spe_cell(sheet, SPE_CELL_NONE);
}

static void name_line(struct spe_sheet *sheet, const struct spe_summary *summary,
		      const struct spe_entry *entry)
{
	add_line(sheet, summary, entry);
	spe_cell_take(sheet, spe_owner_name(summary->resolver, entry->owner));
}

static void name_instruction(struct spe_sheet *sheet, const struct spe_summary *summary,
			     const struct spe_entry *entry)
{
	struct spe_resolver *resolver = summary->resolver;
	uint64_t address;

	if (spe_elf_address(resolver, entry->owner, entry->address, &address))
		spe_cell(sheet, SPE_CELL_HEX)->count = address;
	else
		spe_cell(sheet, SPE_CELL_NONE);
	spe_cell_take(sheet, code_name(resolver, entry->owner, entry->address));
	spe_cell_take(sheet, spe_owner_name(resolver, entry->owner));
	add_line(sheet, summary, entry);
}

static void name_address(struct spe_sheet *sheet, const struct spe_summary *summary,
			 const struct spe_entry *entry)
{
	spe_cell(sheet, SPE_CELL_HEX)->count = entry->address;
	name_process(sheet, summary, entry);
}

static void name_cache_line(struct spe_sheet *sheet, const struct spe_summary *summary,
			    const struct spe_entry *entry)
{
	const struct spe_line *line = (const struct spe_line *)entry;
	char words[WORDS + 1] = "";

	/* Accessed eighths of the line, lowest address first. */
	for (unsigned int i = 0; i < WORDS; i++)
		words[i] = line->words >> i & 1 ? 'x' : '.';
	spe_cell_count(sheet, cpus_in(line->readers));
	spe_cell_count(sheet, cpus_in(line->writers));
	spe_cell_text(sheet, words);
	name_address(sheet, summary, entry);
	spe_cell_take(sheet, code_name(summary->resolver, line->code_owner, line->code));
}

/* Totals of a source line's instructions; @sum has the address of one of them. */
struct source_line {
	struct spe_entry sum;
	const char *file;
	int line;
};

/* Programs may have source files of the same name. */
static int compare_lines(const void *a, const void *b)
{
	const struct source_line *left = a, *right = b;
	int order = strcmp(left->file, right->file);

	if (!order)
		order = (left->line > right->line) - (left->line < right->line);
	return order ? order :
		(left->sum.owner > right->sum.owner) - (left->sum.owner < right->sum.owner);
}

static void merge(struct spe_entry *sum, const struct spe_entry *entry)
{
	sum->count += entry->count;
	sum->latency += entry->latency;
	sum->timed += entry->timed;
	if (entry->longest > sum->longest)
		sum->longest = entry->longest;
	for (size_t i = 0; i < SPE_NR_COUNTS; i++)
		sum->counts[i] += entry->counts[i];
	for (size_t i = 0; i < SPE_NR_SOURCES; i++)
		sum->sources[i] += entry->sources[i];
}

/* Replaces the instructions by their source lines, once each. Return: what to free. */
static struct source_line *lines_of(const struct spe_summary *summary, struct spe_entry **list,
				    size_t *nr)
{
	struct source_line *lines = xreallocarray(NULL, *nr, sizeof(*lines));
	size_t found = 0;

	for (size_t i = 0; i < *nr; i++) {
		struct source_line *line = &lines[found];

		if (spe_line_of(summary->resolver, list[i]->owner, list[i]->address, &line->file,
				&line->line))
			lines[found++].sum = *list[i];
	}
	qsort(lines, found, sizeof(*lines), compare_lines);
	*nr = 0;
	for (size_t i = 0; i < found; i++) {
		if (i && !compare_lines(&lines[i - 1], &lines[i]))
			merge(list[*nr - 1], &lines[i].sum);
		else
			list[(*nr)++] = &lines[i].sum;
	}
	return lines;
}

#define LATENCY_COLUMNS \
	SPE_COLUMN("mean", "mean"), SPE_COLUMN("p50", "p50"), SPE_COLUMN("p90", "p90"), \
	SPE_COLUMN("p99", "p99"), SPE_COLUMN("max", "max"), \
	SPE_COLUMN("saturated", "saturated", .rank = SPE_RANK_COUNTS)
#define RECORDS		SPE_COLUMN("records", "records")
#define SHARE		SPE_COLUMN(SPE_SHARE_KEY, "share %")
#define ADDRESS		SPE_COLUMN("address", "address")
#define CODE_FILE	SPE_COLUMN("file", "file", .cut = SPE_CUT_PATH)
#define PROCESS		SPE_COLUMN("process", "process", .cut = SPE_CUT_NAME)

#define SHEET(k, t, ...) \
	.sheet.key = k, .sheet.title = t, \
	.sheet.columns = (const struct spe_column[]) { __VA_ARGS__ }, \
	.sheet.nr_columns = sizeof((const struct spe_column[]) { __VA_ARGS__ }) / \
			    sizeof(struct spe_column)
#define TOP_LIST(k, t, names, in_table, by, ...) \
	{ SHEET(k, t, COUNT_COLUMNS, __VA_ARGS__), .add_names = names, .table = in_table, \
	  .order = by }
#define CODE_LIST(k, t, by) \
	TOP_LIST(k, t, name_instruction, SPE_INSTRUCTIONS, by, ADDRESS, \
		 SPE_COLUMN("code", "code", .cut = SPE_CUT_NAME), CODE_FILE, \
		 SPE_COLUMN("line", "line", .rank = 4, .cut = SPE_CUT_PATH))
#define CACHE_LIST(k, t, by) \
	TOP_LIST(k, t, name_cache_line, SPE_LINES, by, SPE_COLUMN("cpus", "CPUs"), \
		 SPE_COLUMN("writers", "writers"), SPE_COLUMN("words", "words", .rank = 4), \
		 ADDRESS, SPE_COLUMN("process", "of", .rank = 4, .cut = SPE_CUT_NAME), \
		 SPE_COLUMN("code", "last code", .cut = SPE_CUT_NAME))
#define FACTS(k, t, fn) \
	{ SHEET(k, t, SPE_COLUMN("key", ""), SPE_COLUMN("name", ""), \
		SPE_COLUMN("value", "", .cut = SPE_CUT_NAME)), .sheet.is_facts = true, .fill = fn }

/* In the order of the report. */
static const struct list {
	struct spe_sheet sheet;
	/* rows of a table, or @fill: */
	names_fn add_names;
	size_t table;
	int order;		/* -1: that of --sort */
	void (*fill)(struct spe_sheet *sheet, const struct spe_summary *summary);
} all_lists[] = {
	TOP_LIST("functions", "Functions", name_function, SPE_FUNCTIONS, -1,
		 SPE_COLUMN("function", "function", .cut = SPE_CUT_NAME), CODE_FILE),
	TOP_LIST("lines", "Lines of source code", name_line, SPE_INSTRUCTIONS, -1,
		 SPE_COLUMN("line", "line", .cut = SPE_CUT_PATH), CODE_FILE),
	{ SHEET("sources", "Data sources of loads, with total latency in cycles",
		SPE_COLUMN("source", "source"), RECORDS, SHARE, LATENCY_COLUMNS),
	  .fill = spe_fill_sources },
	TOP_LIST("addresses", "Data addresses", name_address, SPE_DATA, -1, ADDRESS, PROCESS),
	CACHE_LIST("cache_lines", "Cache lines of 64 bytes", -1),
	CACHE_LIST("contended", "Contended cache lines, by peer loads and stores", BY_CONTENTION),
	{ SHEET("operations", "Operations, with total latency in cycles",
		SPE_COLUMN("operation", "operation"), RECORDS, SHARE, LATENCY_COLUMNS),
	  .fill = spe_fill_operations },
	{ SHEET("latency", "Latency, cycles", SPE_COLUMN("latency", "latency"), RECORDS,
		LATENCY_COLUMNS), .fill = spe_fill_latency },
	CODE_LIST("instructions", "Instructions", -1),
	CODE_LIST("mispredicted", "Mispredicted branches", SPE_MISPREDICTED),
	CODE_LIST("walks", "TLB walks", SPE_WALKS),
	CODE_LIST("late_prefetches", "Late prefetches", SPE_LATE),
	TOP_LIST("processes", "Processes", name_process, SPE_PROCESSES, -1, PROCESS),
	{ SHEET("events", "Events of the operations", SPE_COLUMN("bit", "bit"),
		SPE_COLUMN("event", "event", .rank = SPE_RANK_COUNTS),
		SPE_COLUMN("meaning", "meaning"), RECORDS, SHARE), .fill = spe_fill_events },
	FACTS("recording", "Recording", spe_fill_recording),
	{ SHEET("losses", "Missing samples", SPE_COLUMN("cpu", "CPU"),
		SPE_COLUMN("windows", "windows"), SPE_COLUMN("bytes", "bytes"),
		SPE_COLUMN("reason", "reason")), .fill = spe_fill_losses },
	FACTS("limits", "What limits this", spe_fill_limits),
};

_Static_assert(NR(all_lists) == SPE_SHEETS_MAX, "sheets of all lists");

void spe_lists_choose(struct spe_lists *lists, char *names)
{
	const char *name;
	unsigned char at;

	while ((name = strsep(&names, ","))) {
		char *known = NULL;

		for (at = 0; at < NR(all_lists) && strcmp(all_lists[at].sheet.key, name); at++)
			append_text(&known, ", ", "%s", all_lists[at].sheet.key);
		if (at == NR(all_lists))
			die(ERR_BAD_VALUE, "no list '%s'; the lists are %s", name, known);
		free(known);
		if (!memchr(lists->chosen, at, lists->nr_chosen))
			lists->chosen[lists->nr_chosen++] = at;
	}
}

static void fill_list(struct spe_sheet *sheet, const struct spe_summary *summary,
		      const struct spe_lists *lists, const struct list *list)
{
	const struct spe_table *table = &summary->tables[list->table];
	int order = list->order < 0 ? lists->order : list->order;
	struct spe_entry **entries = spe_table_list(table);
	struct source_line *lines = NULL;
	size_t nr = table->nr, shown;
	bool has_lines;
	uint64_t all;

	if (list->add_names == name_line)
		lines = lines_of(summary, entries, &nr);
	has_lines = nr > 0;
	all = sort(entries, &nr, order);
	/* Also of records that are in no list. */
	if (order != BY_CONTENTION)
		all = key_of(&summary->total, order);
	shown = nr < lists->top ? nr : lists->top;
	sheet->share = orders[order].share;
	sheet->kept = orders[order].kept;
	sheet->first_name = NR_COUNT_COLUMNS;
	for (size_t i = 0; i < shown; i++) {
		const struct spe_entry *entry = entries[i];

		spe_cell_count(sheet, entry->count);
		spe_cell_share(sheet, key_of(entry, order), all);
		spe_cell_mean(sheet, entry->latency, entry->timed)->at_least =
			entry->longest == summary->saturated;
		for (size_t count = 0; count < SPE_NR_COUNTS; count++)
			spe_cell_count(sheet, entry->counts[count]);
		add_main_source(sheet, entry);
		list->add_names(sheet, summary, entry);
	}
	if (lines && !has_lines && table->nr)
		sheet->note = xstrdup("no file here has debug information of a sampled address");
	else if (lines && table->error)
		sheet->note = format_string("%" PRIu64 " of %" PRIu64 " records with an address; "
					    "less frequent instructions were dropped",
					    summary->addressed - table->dropped,
					    summary->addressed);
	else if (table->error)
		sheet->note = format_string("%zu of more than %d; each count may be too small by %"
					    PRIu64 " at most", shown, SPE_ENTRIES_MAX,
					    table->error);
	else if (shown < nr)
		sheet->note = format_string("%zu of %zu; counts are exact", shown, nr);
	free(entries);
	free(lines);
}

void spe_add_lists(struct spe_sheets *sheets, const struct spe_summary *summary,
		   const struct spe_lists *lists)
{
	size_t nr = lists->nr_chosen ? lists->nr_chosen : NR(all_lists);

	for (size_t i = 0; i < nr; i++) {
		const struct list *list = &all_lists[lists->nr_chosen ? lists->chosen[i] : i];
		struct spe_sheet *sheet = &sheets->v[sheets->nr++];

		*sheet = list->sheet;
		if (list->fill)
			list->fill(sheet, summary);
		else
			fill_list(sheet, summary, lists, list);
	}
}
