// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Lists of "n3stat spe report": the most frequent functions, lines and instructions. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "report_lists.h"

static uint64_t by_count(const struct spe_entry *entry)
{
	return entry->count;
}

static uint64_t by_latency(const struct spe_entry *entry)
{
	return entry->latency;
}

static uint64_t by_loads(const struct spe_entry *entry)
{
	return entry->loads;
}

static uint64_t by_mispredicted(const struct spe_entry *entry)
{
	return entry->mispredicted;
}

static uint64_t by_walks(const struct spe_entry *entry)
{
	return entry->walks;
}

static uint64_t by_late(const struct spe_entry *entry)
{
	return entry->late;
}

static uint64_t by_peer(const struct spe_entry *entry)
{
	return entry->peer;
}

static const struct spe_order orders[] = {
	{ "records", "share %", by_count },
	{ "latency", "% cycles", by_latency },
	{ "loads", "% loads", by_loads },
	{ "mispredicted", "% mispred.", by_mispredicted },
	{ "walks", "% walks", by_walks },
	{ "late", "% late", by_late },
	{ "peer", "% peer", by_peer },
};

const struct spe_order *spe_order_find(const char *name)
{
	for (size_t i = 0; i < NR(orders); i++)
		if (!strcmp(orders[i].name, name))
			return &orders[i];
	return NULL;
}

struct spe_sheet *spe_list_new(struct spe_sheets *sheets, const char *key, const char *title,
			       const struct spe_column *columns, size_t nr,
			       const struct spe_order *order)
{
	struct spe_sheet *sheet = spe_sheet_new(sheets, key, title, columns, nr);

	sheet->share = order->share;
	return sheet;
}

uint64_t spe_total(const struct spe_summary *summary, const struct spe_order *order)
{
	return order->key(&summary->total);
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

struct spe_entry **spe_sorted(const struct spe_table *table, const struct spe_order *order,
			      size_t *nr)
{
	struct spe_entry **list = spe_table_list(table);
	struct keyed *keyed = xreallocarray(NULL, table->nr, sizeof(*keyed));

	*nr = 0;
	for (size_t i = 0; i < table->nr; i++)
		if (order->key(list[i]))
			keyed[(*nr)++] = (struct keyed) { order->key(list[i]), list[i] };
	qsort(keyed, *nr, sizeof(*keyed), compare_keyed);
	for (size_t i = 0; i < *nr; i++)
		list[i] = keyed[i].entry;
	free(keyed);
	return list;
}

void spe_note_bound(struct spe_sheet *sheet, const struct spe_table *table, size_t shown,
		    size_t nr)
{
	if (table->error)
		spe_sheet_note(sheet,
			       "%zu of more than %zu; each count may be too small by %" PRIu64
			       " at most", shown, table->max, table->error);
	else if (shown < nr)
		spe_sheet_note(sheet, "%zu of %zu; counts are exact", shown, nr);
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

/* Middle columns of a list. */
void spe_add_counts(struct spe_sheet *sheet, const struct spe_entry *entry, uint64_t key,
		    uint64_t all)
{
	spe_cell_count(sheet, entry->count);
	spe_cell_share(sheet, key, all);
	if (entry->timed)
		spe_cell_number_at_least(sheet, (double)entry->latency / entry->timed,
					 entry->saturated);
	else
		spe_cell_none(sheet);
	spe_cell_count(sheet, entry->loads);
	spe_cell_count(sheet, entry->stores);
	spe_cell_count(sheet, entry->mispredicted);
	spe_cell_count(sheet, entry->walks);
	spe_cell_count(sheet, entry->late);
	spe_cell_count(sheet, entry->peer);
	add_main_source(sheet, entry);
}

static char *function_of(struct spe_resolver *resolver, const struct spe_entry *entry)
{
	const char *name = spe_function_name(resolver, entry->owner, entry->address);

	return xstrdup(name ? name : "[no symbol]");
}

static void add_functions(struct spe_sheets *sheets, const struct spe_summary *summary,
			  const struct spe_lists *lists)
{
	static const struct spe_column columns[] = {
		SPE_COUNT_COLUMNS, { "function", "function" }, { "file", "file" }
	};
	struct spe_sheet *sheet = spe_list_new(sheets, "functions", "Functions", columns,
					       NR(columns), lists->order);
	uint64_t all = spe_total(summary, lists->order);
	size_t nr, i;
	struct spe_entry **list = spe_sorted(&summary->functions, lists->order, &nr);

	for (i = 0; i < nr && i < lists->top; i++) {
		spe_add_counts(sheet, list[i], lists->order->key(list[i]), all);
		spe_cell_take(sheet, function_of(summary->resolver, list[i]));
		spe_cell_take(sheet, spe_owner_name(summary->resolver, list[i]->owner));
	}
	spe_note_bound(sheet, &summary->functions, i, nr);
	free(list);
}

char *spe_code_name(struct spe_resolver *resolver, uint32_t owner, uint64_t address)
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

static const struct spe_column code_columns[] = {
	SPE_COUNT_COLUMNS, { "address", "address" }, { "code", "code" }, { "file", "file" },
	{ "line", "line" }
};

static void add_instructions(struct spe_sheets *sheets, const struct spe_summary *summary,
			     const struct spe_lists *lists, const char *key, const char *title)
{
	struct spe_sheet *sheet = spe_list_new(sheets, key, title, code_columns,
					       NR(code_columns), lists->order);
	uint64_t all = spe_total(summary, lists->order);
	size_t nr, i;
	struct spe_entry **list = spe_sorted(&summary->instructions, lists->order, &nr);

	for (i = 0; i < nr && i < lists->top; i++) {
		struct spe_entry *entry = list[i];

		spe_add_counts(sheet, entry, lists->order->key(entry), all);
		spe_cell_hex(sheet, spe_shown_address(summary->resolver, entry->owner,
						      entry->address));
		spe_cell_take(sheet, spe_code_name(summary->resolver, entry->owner,
						   entry->address));
		spe_cell_take(sheet, spe_owner_name(summary->resolver, entry->owner));
		add_line_cell(sheet, summary->resolver, entry);
	}
	spe_note_bound(sheet, &summary->instructions, i, nr);
	free(list);
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
	sum->loads += entry->loads;
	sum->stores += entry->stores;
	sum->branches += entry->branches;
	sum->mispredicted += entry->mispredicted;
	sum->walks += entry->walks;
	sum->late += entry->late;
	sum->peer += entry->peer;
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

static int compare_sums(const void *a, const void *b, void *context)
{
	const struct source_line *left = a, *right = b;
	const struct spe_order *order = context;
	uint64_t left_key = order->key(&left->sum), right_key = order->key(&right->sum);

	if (left_key != right_key)
		return left_key > right_key ? -1 : 1;
	return compare_lines(a, b);
}

static void add_lines(struct spe_sheets *sheets, const struct spe_summary *summary,
		      const struct spe_lists *lists)
{
	static const struct spe_column columns[] = {
		SPE_COUNT_COLUMNS, { "line", "line" }
	};
	struct spe_sheet *sheet = spe_list_new(sheets, "lines", "Lines of source code", columns,
					       NR(columns), lists->order);
	uint64_t all = spe_total(summary, lists->order);
	size_t nr, i;
	struct source_line *lines = lines_of(summary, &nr);

	if (nr)
		qsort_r(lines, nr, sizeof(*lines), compare_sums, (void *)lists->order);
	for (i = 0; i < nr && i < lists->top && lists->order->key(&lines[i].sum); i++) {
		spe_add_counts(sheet, &lines[i].sum, lists->order->key(&lines[i].sum), all);
		spe_cell_take(sheet, format_string("%s:%d", lines[i].file, lines[i].line));
	}
	if (!nr && summary->instructions.nr)
		spe_sheet_note(sheet, "no file here has debug information of a sampled address");
	else if (summary->instructions.error)
		spe_sheet_note(sheet, "of the most frequent instructions only: see there");
	else
		spe_note_bound(sheet, &summary->instructions, i, nr);
	free(lines);
}

void spe_add_code(struct spe_sheets *sheets, const struct spe_summary *summary,
		  const struct spe_lists *lists)
{
	struct spe_lists by = *lists;

	add_functions(sheets, summary, lists);
	add_lines(sheets, summary, lists);
	add_instructions(sheets, summary, lists, "instructions", "Instructions");
	by.order = spe_order_find("mispredicted");
	add_instructions(sheets, summary, &by, "mispredicted", "Mispredicted branches");
	by.order = spe_order_find("walks");
	add_instructions(sheets, summary, &by, "walks", "TLB walks");
	by.order = spe_order_find("late");
	add_instructions(sheets, summary, &by, "late_prefetches", "Late prefetches");
}
