// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Lists of "n3stat spe report": the most frequent code, processes and data. */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "report_sheets.h"

#define WORDS		8	/* per cache line */

/* Sort keys of lists, in addition to enum spe_count. */
enum { BY_RECORDS = SPE_NR_COUNTS, BY_LATENCY, BY_CONTENTION };

/* Names for --sort, and headings of the shares of all keys. */
static const struct {
	const char *name, *share;
} orders[] = {
	[BY_RECORDS] = { "records", "share %" },
	[BY_LATENCY] = { "latency", "% cycles" },
	[SPE_LOADS] = { "loads", "% loads" },
	[SPE_MISPREDICTED] = { "mispredicted", "% mispred." },
	[SPE_WALKS] = { "walks", "% walks" },
	[SPE_LATE] = { "late", "% late" },
	[SPE_PEER] = { "peer", "% peer" },
	[BY_CONTENTION] = { NULL, "share %" },
};

int spe_order_find(const char *name)
{
	for (size_t i = 0; i < NR(orders); i++)
		if (orders[i].name && !strcmp(orders[i].name, name))
			return (int)i;
	return -1;
}

/* Only cache lines have a contention. */
static uint64_t key_of(const struct spe_entry *entry, int order)
{
	switch (order) {
	case BY_RECORDS:
		return entry->count;
	case BY_LATENCY:
		return entry->latency;
	case BY_CONTENTION:
		return spe_line_is_contended((const struct spe_line *)entry) ?
		       (uint64_t)entry->counts[SPE_PEER] + entry->counts[SPE_STORES] : 0;
	default:
		return entry->counts[order];
	}
}

struct keyed {
	uint64_t key;
	struct spe_entry *entry;
};

/* Ties are sorted by address, for reproducible lists. */
static int compare_keyed(const void *a, const void *b)
{
	const struct keyed *left = a, *right = b;

	if (left->key != right->key)
		return left->key > right->key ? -1 : 1;
	if (left->entry->owner != right->entry->owner)
		return left->entry->owner < right->entry->owner ? -1 : 1;
	return (left->entry->address > right->entry->address) -
	       (left->entry->address < right->entry->address);
}

/* Sorts the entries with a key, largest first. Return: their number. */
static size_t sort(struct spe_entry **list, size_t nr, int order)
{
	struct keyed *keyed = xreallocarray(NULL, nr, sizeof(*keyed));
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++)
		if (key_of(list[i], order))
			keyed[kept++] = (struct keyed) { key_of(list[i], order), list[i] };
	qsort(keyed, kept, sizeof(*keyed), compare_keyed);
	for (size_t i = 0; i < kept; i++)
		list[i] = keyed[i].entry;
	free(keyed);
	return kept;
}

/* Sum of the keys over all records, also those that are in no list. */
static uint64_t total_of(const struct spe_summary *summary, int order, struct spe_entry **list,
			 size_t nr)
{
	uint64_t all = 0;

	if (order != BY_CONTENTION)
		return key_of(&summary->total, order);
	for (size_t i = 0; i < nr; i++)
		all += key_of(list[i], order);
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
		spe_cell_none(sheet);
		return;
	}
	name = spe_slot_name(best);
	spe_cell_take(sheet, format_string("%s %.0f%%", name,
					   100.0 * entry->sources[best] / (double)all));
	free(name);
}

/* Columns of all lists. */
#define COUNT_COLUMNS \
	{ "records", "records" }, { SPE_SHARE_KEY, "share %" }, { "latency", "mean cycles" }, \
	{ "loads", "loads" }, { "stores", "stores" }, { "mispredicted", "mispred." }, \
	{ "walks", "walks" }, { "late", "late" }, { "peer", "peer" }, { "source", "source" }

static void add_counts(struct spe_sheet *sheet, const struct spe_entry *entry, uint64_t key,
		       uint64_t all)
{
	spe_cell_count(sheet, entry->count);
	spe_cell_share(sheet, key, all);
	if (entry->timed)
		spe_cell_number_at_least(sheet, (double)entry->latency / entry->timed,
					 entry->saturated);
	else
		spe_cell_none(sheet);
	for (size_t i = 0; i < SPE_NR_COUNTS; i++)
		spe_cell_count(sheet, entry->counts[i]);
	add_main_source(sheet, entry);
}

/* Adds an entry's cells after the counts. */
typedef void (*names_fn)(struct spe_sheet *sheet, const struct spe_summary *summary,
			 const struct spe_entry *entry);

/* Sorts the entries, *nr of which have a key. Return: number of rows. */
static size_t add_rows(struct spe_sheet *sheet, const struct spe_summary *summary,
		       const struct spe_lists *lists, struct spe_entry **list, size_t *nr,
		       names_fn add_names)
{
	uint64_t all;
	size_t i;

	sheet->share = orders[lists->order].share;
	*nr = sort(list, *nr, lists->order);
	all = total_of(summary, lists->order, list, *nr);
	for (i = 0; i < *nr && i < lists->top; i++) {
		add_counts(sheet, list[i], key_of(list[i], lists->order), all);
		add_names(sheet, summary, list[i]);
	}
	return i;
}

/* The accuracy of a list showing @shown of @nr entries. */
static void note_bound(struct spe_sheet *sheet, const struct spe_table *table, size_t shown,
		       size_t nr)
{
	if (table->error)
		spe_sheet_note(sheet,
			       "%zu of more than %zu; each count may be too small by %" PRIu64
			       " at most", shown, table->max, table->error);
	else if (shown < nr)
		spe_sheet_note(sheet, "%zu of %zu; counts are exact", shown, nr);
}

static void add_owner(struct spe_sheet *sheet, const struct spe_summary *summary, uint32_t owner)
{
	if (owner >= SPE_NO_LIFE)
		spe_cell_take(sheet, spe_owner_name(summary->resolver, owner));
	else
		spe_cell_take(sheet, spe_life_label(&summary->recording->tasks, owner));
}

static void name_process(struct spe_sheet *sheet, const struct spe_summary *summary,
			 const struct spe_entry *entry)
{
	add_owner(sheet, summary, entry->owner);
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
	uint64_t start;
	const char *name = spe_function_at(resolver, owner, address, &start);

	if (!name)
		return xstrdup("[no symbol]");
	return address == start ? xstrdup(name) :
				  format_string("%s+0x%" PRIx64, name, address - start);
}

static void add_line_cell(struct spe_sheet *sheet, struct spe_resolver *resolver,
			  const struct spe_entry *entry)
{
	const char *file;
	int line;

	if (spe_line_of(resolver, entry->owner, entry->address, &file, &line))
		spe_cell_take(sheet, format_string("%s:%d", file, line));
	else
		spe_cell_none(sheet);
}

static void name_instruction(struct spe_sheet *sheet, const struct spe_summary *summary,
			     const struct spe_entry *entry)
{
	struct spe_resolver *resolver = summary->resolver;

	spe_cell_hex(sheet, spe_shown_address(resolver, entry->owner, entry->address));
	spe_cell_take(sheet, code_name(resolver, entry->owner, entry->address));
	spe_cell_take(sheet, spe_owner_name(resolver, entry->owner));
	add_line_cell(sheet, resolver, entry);
}

static void name_address(struct spe_sheet *sheet, const struct spe_summary *summary,
			 const struct spe_entry *entry)
{
	spe_cell_hex(sheet, entry->address);
	add_owner(sheet, summary, entry->owner);
}

/* Accessed eighths of a line as x and '.', lowest address first. */
static void add_words(struct spe_sheet *sheet, uint32_t words)
{
	char text[WORDS + 1] = "";

	for (unsigned int i = 0; i < WORDS; i++)
		text[i] = words >> i & 1 ? 'x' : '.';
	spe_cell_text(sheet, text);
}

static void name_cache_line(struct spe_sheet *sheet, const struct spe_summary *summary,
			    const struct spe_entry *entry)
{
	const struct spe_line *line = (const struct spe_line *)entry;

	spe_cell_count(sheet, spe_line_cpus(line, false));
	spe_cell_count(sheet, spe_line_cpus(line, true));
	add_words(sheet, line->words);
	name_address(sheet, summary, entry);
	spe_cell_take(sheet, code_name(summary->resolver, line->code_owner, line->code));
}

/* Totals of a source line's instructions. */
struct source_line {
	struct spe_entry sum;
	const char *file;
	int line;
};

static int compare_lines(const void *a, const void *b)
{
	const struct source_line *left = a, *right = b;
	int order = strcmp(left->file, right->file);

	return order ? order : (left->line > right->line) - (left->line < right->line);
}

static void merge(struct spe_entry *sum, const struct spe_entry *entry)
{
	sum->count += entry->count;
	sum->latency += entry->latency;
	sum->timed += entry->timed;
	sum->saturated += entry->saturated;
	for (size_t i = 0; i < SPE_NR_COUNTS; i++)
		sum->counts[i] += entry->counts[i];
	for (size_t i = 0; i < SPE_NR_SOURCES; i++)
		sum->sources[i] += entry->sources[i];
}

/* Return: the source lines of all instructions, once each. */
static struct source_line *lines_of(const struct spe_summary *summary, size_t *nr)
{
	struct spe_entry **list = spe_table_list(&summary->instructions);
	struct source_line *lines = xreallocarray(NULL, summary->instructions.nr, sizeof(*lines));
	size_t found = 0;

	for (size_t i = 0; i < summary->instructions.nr; i++) {
		struct source_line *line = &lines[found];

		if (spe_line_of(summary->resolver, list[i]->owner, list[i]->address, &line->file,
				&line->line))
			lines[found++].sum = *list[i];
	}
	free(list);
	if (found)
		qsort(lines, found, sizeof(*lines), compare_lines);
	*nr = 0;
	for (size_t i = 0; i < found; i++) {
		if (*nr && !compare_lines(&lines[*nr - 1], &lines[i]))
			merge(&lines[*nr - 1].sum, &lines[i].sum);
		else
			lines[(*nr)++] = lines[i];
	}
	return lines;
}

static void name_line(struct spe_sheet *sheet, const struct spe_summary *summary,
		      const struct spe_entry *entry)
{
	const struct source_line *line = (const struct source_line *)entry;

	(void)summary;
	spe_cell_take(sheet, format_string("%s:%d", line->file, line->line));
}

static void add_source_lines(struct spe_sheets *sheets, const struct spe_summary *summary,
			     const struct spe_lists *lists)
{
	static const struct spe_column columns[] = { COUNT_COLUMNS, { "line", "line" } };
	struct spe_sheet *sheet = spe_sheet_new(sheets, "lines", "Lines of source code", columns,
						NR(columns));
	size_t nr, sorted, shown;
	struct source_line *lines = lines_of(summary, &nr);
	struct spe_entry **list = xreallocarray(NULL, nr, sizeof(*list));

	for (size_t i = 0; i < nr; i++) {
		/* Ties are sorted by file and line. */
		lines[i].sum.owner = 0;
		lines[i].sum.address = i;
		list[i] = &lines[i].sum;
	}
	sorted = nr;
	shown = add_rows(sheet, summary, lists, list, &sorted, name_line);
	if (!nr && summary->instructions.nr)
		spe_sheet_note(sheet, "no file here has debug information of a sampled address");
	else if (summary->instructions.error)
		spe_sheet_note(sheet, "of the most frequent instructions only: see there");
	else
		note_bound(sheet, &summary->instructions, shown, nr);
	free(list);
	free(lines);
}

static const struct spe_column function_columns[] = {
	COUNT_COLUMNS, { "function", "function" }, { "file", "file" }
};

static const struct spe_column code_columns[] = {
	COUNT_COLUMNS, { "address", "address" }, { "code", "code" }, { "file", "file" },
	{ "line", "line" }
};

static const struct spe_column process_columns[] = {
	COUNT_COLUMNS, { "process", "process" }
};

static const struct spe_column address_columns[] = {
	COUNT_COLUMNS, { "address", "address" }, { "process", "process" }
};

static const struct spe_column line_columns[] = {
	COUNT_COLUMNS, { "cpus", "CPUs" }, { "writers", "writers" }, { "words", "words" },
	{ "address", "address" }, { "process", "of" }, { "code", "last code" }
};

#define COLUMNS(array)	array, NR(array)
#define TABLE(name)	offsetof(struct spe_summary, name)

static const struct list {
	const char *key, *title;
	const struct spe_column *columns;
	size_t nr_columns;
	names_fn add_names;
	size_t table;		/* its offset in the summary */
	int order;		/* -1: that of --sort */
} all_lists[] = {
	{ "functions", "Functions", COLUMNS(function_columns), name_function, TABLE(functions),
	  -1 },
	{ "instructions", "Instructions", COLUMNS(code_columns), name_instruction,
	  TABLE(instructions), -1 },
	{ "mispredicted", "Mispredicted branches", COLUMNS(code_columns), name_instruction,
	  TABLE(instructions), SPE_MISPREDICTED },
	{ "walks", "TLB walks", COLUMNS(code_columns), name_instruction, TABLE(instructions),
	  SPE_WALKS },
	{ "late_prefetches", "Late prefetches", COLUMNS(code_columns), name_instruction,
	  TABLE(instructions), SPE_LATE },
	{ "processes", "Processes", COLUMNS(process_columns), name_process, TABLE(processes), -1 },
	{ "addresses", "Data addresses", COLUMNS(address_columns), name_address, TABLE(data), -1 },
	{ "cache_lines", "Cache lines (64 bytes)", COLUMNS(line_columns), name_cache_line,
	  TABLE(lines), -1 },
	{ "contended", "Cache lines that several CPUs fight for, by peer loads and stores",
	  COLUMNS(line_columns), name_cache_line, TABLE(lines), BY_CONTENTION },
};

static void add_list(struct spe_sheets *sheets, const struct spe_summary *summary,
		     const struct spe_lists *lists, const struct list *list)
{
	const struct spe_table *table = (const void *)((const char *)summary + list->table);
	struct spe_sheet *sheet = spe_sheet_new(sheets, list->key, list->title, list->columns,
						list->nr_columns);
	struct spe_lists by = { list->order < 0 ? lists->order : list->order, lists->top };
	struct spe_entry **entries = spe_table_list(table);
	size_t nr = table->nr, shown;

	shown = add_rows(sheet, summary, &by, entries, &nr, list->add_names);
	note_bound(sheet, table, shown, nr);
	free(entries);
}

void spe_add_lists(struct spe_sheets *sheets, const struct spe_summary *summary,
		   const struct spe_lists *lists)
{
	add_list(sheets, summary, lists, &all_lists[0]);
	add_source_lines(sheets, summary, lists);
	for (size_t i = 1; i < NR(all_lists); i++)
		add_list(sheets, summary, lists, &all_lists[i]);
}
