// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Totals of a recording's samples. */
#include <stdlib.h>
#include <string.h>

#include "lib/cpu_list.h"
#include "lib/machine_kernel.h"
#include "lib/memory.h"
#include "summary.h"

#define VALUES		65536
#define SAMPLE		101	/* entries sampled for the median */
#define SLOTS		(2 * SPE_ENTRIES_MAX)

/* Named sources, and those from another core's cache. */
static const struct {
	uint8_t raw;
	bool is_peer;
} slots[SPE_NR_NAMED_SOURCES] = {
	{ 0x0, false }, { 0x8, false }, { 0x9, true }, { 0xa, true },
	{ 0xb, false }, { 0xc, true }, { 0xd, false }, { 0xe, false },
};

/* A sample, and what its values mean on its core. */
struct meaning {
	const struct spe_sample *sample;
	size_t source;		/* its slot */
	bool counts[SPE_NR_COUNTS];
};

size_t spe_source_slot(bool is_known, uint64_t source)
{
	for (size_t slot = 0; is_known && slot < NR(slots); slot++)
		if (slots[slot].raw == source)
			return slot;
	return NR(slots) + (source < SPE_NR_RAW_SOURCES - 1 ? source : SPE_NR_RAW_SOURCES - 1);
}

char *spe_slot_name(size_t slot)
{
	if (slot < NR(slots))
		return xstrdup(spe_source_name(slots[slot].raw));
	if (slot == SPE_NR_SOURCES - 1)
		return xstrdup("above 0xf");
	return format_string("0x%zx", slot - NR(slots));
}

static struct meaning meaning_of(const struct spe_summary *summary, const struct spe_sample *sample)
{
	const struct spe_record *record = sample->record;
	bool is_known = core_is_known(spe_recording_midr(summary->recording, sample->cpu));
	struct meaning meaning = {
		.sample = sample, .source = spe_source_slot(is_known, record->source)
	};

	meaning.counts[SPE_LOADS] = spe_is_load(record);
	meaning.counts[SPE_STORES] = spe_is_store(record);
	meaning.counts[SPE_MISPREDICTED] = spe_has_event(record, SPE_EVENT_MISPREDICTED);
	meaning.counts[SPE_WALKS] = spe_has_event(record, SPE_EVENT_TLB_WALK);
	meaning.counts[SPE_LATE] = is_known && spe_has_event(record, SPE_EVENT_LATE_PREFETCH);
	meaning.counts[SPE_PEER] = record->has & SPE_HAS_SOURCE && meaning.source < NR(slots) &&
				   slots[meaning.source].is_peer;
	return meaning;
}

static void histogram_add(struct spe_histogram *histogram, uint16_t value)
{
	if (!histogram->counts)
		histogram->counts = xcalloc(VALUES, sizeof(*histogram->counts));
	histogram->counts[value]++;
	histogram->nr++;
	histogram->sum += value;
	if (value > histogram->max)
		histogram->max = value;
}

static enum spe_kind kind_of(const struct spe_record *record)
{
	bool load = spe_is_load(record), store = spe_is_store(record);

	if (load || store)
		return !load ? SPE_KIND_STORE : store ? SPE_KIND_ATOMIC : SPE_KIND_LOAD;
	if (spe_is_branch(record))
		return SPE_KIND_BRANCH;
	if (record->has & SPE_HAS_OPERATION && record->op_class == SPE_OTHER)
		return SPE_KIND_OTHER;
	return SPE_KIND_UNKNOWN;
}

static void add_latencies(struct spe_summary *summary, const struct meaning *meaning,
			  enum spe_kind kind)
{
	struct spe_histogram *latencies = summary->latencies;
	const struct spe_record *record = meaning->sample->record;

	if (record->has & SPE_HAS_TOTAL) {
		histogram_add(&latencies[SPE_TOTAL], record->total);
		histogram_add(&latencies[SPE_BY_KIND + kind], record->total);
		if (record->has & SPE_HAS_SOURCE)
			histogram_add(&latencies[SPE_BY_SOURCE + meaning->source], record->total);
	}
	if (record->has & SPE_HAS_ISSUE)
		histogram_add(&latencies[SPE_ISSUE], record->issue);
	if (record->has & SPE_HAS_TRANSLATION)
		histogram_add(&latencies[SPE_TRANSLATION], record->translation);
}

static void add_to_entry(struct spe_entry *entry, const struct meaning *meaning)
{
	const struct spe_record *record = meaning->sample->record;

	entry->count++;
	if (record->has & SPE_HAS_TOTAL) {
		entry->timed++;
		entry->latency += record->total;
		if (record->total > entry->longest)
			entry->longest = record->total;
	}
	for (size_t i = 0; i < SPE_NR_COUNTS; i++)
		entry->counts[i] += meaning->counts[i];
	if (record->has & SPE_HAS_SOURCE)
		entry->sources[meaning->source]++;
}

static struct spe_entry *entry_at(const struct spe_table *table, size_t i)
{
	return (struct spe_entry *)(table->entries + i * table->size);
}

/* Return: slot of the address, or the free slot for it. */
static uint32_t *find_slot(const struct spe_table *table, uint64_t address, uint32_t owner)
{
	uint64_t hash = (address ^ (uint64_t)owner << 40) * 0x9e3779b97f4a7c15ULL;
	size_t slot = (hash ^ hash >> 32) % SLOTS;

	for (; table->slots[slot]; slot = (slot + 1) % SLOTS) {
		const struct spe_entry *entry = entry_at(table, table->slots[slot] - 1);

		if (entry->address == address && entry->owner == owner)
			break;
	}
	return &table->slots[slot];
}

static int compare_counts(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return (left > right) - (left < right);
}

static uint64_t median_count(const struct spe_table *table)
{
	uint64_t counts[SAMPLE];

	for (size_t i = 0; i < SAMPLE; i++)
		counts[i] = entry_at(table, i * (table->nr - 1) / (SAMPLE - 1))->count;
	qsort(counts, SAMPLE, sizeof(*counts), compare_counts);
	return counts[SAMPLE / 2];
}

/* Evicts about half of the entries, at least one. */
static void purge(struct spe_table *table)
{
	uint64_t median = median_count(table);
	size_t kept = 0;

	memset(table->slots, 0, SLOTS * sizeof(*table->slots));
	for (size_t i = 0; i < table->nr; i++) {
		struct spe_entry *entry = entry_at(table, i);

		table->dropped += entry->count < median ? entry->count : median;
		if (entry->count <= median)
			continue;
		entry->count -= median;
		if (i != kept)
			memcpy(entry_at(table, kept), entry, table->size);
		entry = entry_at(table, kept++);
		*find_slot(table, entry->address, entry->owner) = (uint32_t)kept;
	}
	table->nr = kept;
	table->error += median;
}

/* Return: the entry, valid until the next call. */
static struct spe_entry *add_entry(struct spe_table *table, uint64_t address, uint32_t owner,
				   const struct meaning *meaning)
{
	uint32_t *slot = find_slot(table, address, owner);
	struct spe_entry *entry;

	if (!*slot && table->nr == SPE_ENTRIES_MAX) {
		purge(table);
		slot = find_slot(table, address, owner);
	}
	if (!*slot) {
		entry = entry_at(table, table->nr++);
		memset(entry, 0, table->size);
		entry->address = address;
		entry->owner = owner;
		*slot = (uint32_t)table->nr;
	}
	entry = entry_at(table, *slot - 1);
	add_to_entry(entry, meaning);
	return entry;
}

static struct spe_where add_code(struct spe_summary *summary, const struct meaning *meaning)
{
	struct spe_where where = { meaning->sample->life, 0, SPE_NO_FUNCTION };
	struct spe_table *tables = summary->tables;

	if (!(meaning->sample->record->has & SPE_HAS_PC))
		return where;
	summary->addressed++;
	where = spe_resolve(summary->resolver, meaning->sample, meaning->sample->record->pc);
	add_entry(&tables[SPE_INSTRUCTIONS], where.address, where.owner, meaning);
	add_entry(&tables[SPE_FUNCTIONS], where.function, where.owner, meaning);
	summary->no_map += where.owner < SPE_OWNER_OBJECTS;
	summary->no_symbol += where.function == SPE_NO_FUNCTION;
	summary->other_file += spe_is_other_file(summary->resolver, where.owner);
	return where;
}

/* Lines are shared by physical address or, without one, within a process. */
static void add_data(struct spe_table *tables, const struct meaning *meaning,
		     struct spe_where where)
{
	const struct spe_record *record = meaning->sample->record;
	bool physical = record->has & SPE_HAS_PA;
	uint64_t address = physical ? record->pa : record->va;
	uint32_t owner = record->va >> SPE_KERNEL_BIT ? SPE_OWNER_KERNEL : meaning->sample->life;
	size_t cpu = (size_t)meaning->sample->cpu % SPE_LINE_CPUS;
	struct spe_line *line;

	if (record->has & SPE_HAS_VA)
		add_entry(&tables[SPE_DATA], record->va, owner, meaning);
	line = (struct spe_line *)add_entry(&tables[SPE_LINES],
					    address / SPE_LINE_SIZE * SPE_LINE_SIZE,
					    physical ? SPE_OWNER_PHYSICAL : owner, meaning);
	if (meaning->sample->cpu >= 0) {
		line->readers[cpu / 64] |= 1ULL << cpu % 64;
		/* Speculative stores write nothing. */
		if (spe_is_store(record) && spe_has_event(record, SPE_EVENT_RETIRED))
			line->writers[cpu / 64] |= 1ULL << cpu % 64;
	}
	line->words |= 1u << (address % SPE_LINE_SIZE / 8);
	line->code = where.address;
	line->code_owner = where.owner;
}

static bool passes(const struct spe_filter *filter, const struct spe_sample *sample)
{
	if (filter->by_pid && sample->pid != filter->pid)
		return false;
	return !filter->cpus ||
	       (sample->cpu >= 0 && sample->cpu < MAX_CPUS && filter->cpus[sample->cpu]);
}

static void take_sample(const struct spe_sample *sample, void *context)
{
	const struct spe_record *record = sample->record;
	enum spe_kind kind = kind_of(record);
	struct spe_summary *summary = context;
	struct meaning meaning;
	struct spe_where where;

	if (!passes(&summary->filter, sample)) {
		summary->excluded++;
		return;
	}
	meaning = meaning_of(summary, sample);
	summary->kinds[kind]++;
	summary->no_process += sample->pid == SPE_PID_UNKNOWN;
	for (uint64_t events = record->events; events; events &= events - 1)
		summary->events[__builtin_ctzll(events)]++;
	if (record->has & SPE_HAS_TIME) {
		if (!summary->timed || sample->time < summary->first)
			summary->first = sample->time;
		if (!summary->timed++ || sample->time > summary->last)
			summary->last = sample->time;
	}
	add_latencies(summary, &meaning, kind);
	add_to_entry(&summary->total, &meaning);
	add_entry(&summary->tables[SPE_PROCESSES], 0, sample->life, &meaning);
	where = add_code(summary, &meaning);
	if (record->has & (SPE_HAS_VA | SPE_HAS_PA))
		add_data(summary->tables, &meaning, where);
}

void spe_summary_make(struct spe_summary *summary, struct spe_recording *recording,
		      struct spe_resolver *resolver, const struct spe_filter *filter)
{
	*summary = (struct spe_summary) {
		.recording = recording, .resolver = resolver, .filter = *filter, .saturated = 0xfff
	};
	for (size_t i = 0; i < SPE_NR_TABLES; i++) {
		struct spe_table *table = &summary->tables[i];

		table->size = i == SPE_LINES ? sizeof(struct spe_line) : sizeof(struct spe_entry);
		table->entries = xreallocarray(NULL, SPE_ENTRIES_MAX, table->size);
		table->slots = xcalloc(SLOTS, sizeof(*table->slots));
	}
	spe_recording_samples(recording, take_sample, summary);
	/* A file does not have the width of its counters: 12 bits, or 16. */
	for (size_t i = 0; i < SPE_NR_LATENCIES; i++)
		if (summary->latencies[i].max > summary->saturated)
			summary->saturated = 0xffff;
}

void spe_summary_free(struct spe_summary *summary)
{
	for (size_t i = 0; i < SPE_NR_TABLES; i++) {
		free(summary->tables[i].entries);
		free(summary->tables[i].slots);
	}
	for (size_t i = 0; i < SPE_NR_LATENCIES; i++)
		free(summary->latencies[i].counts);
}

struct spe_entry **spe_table_list(const struct spe_table *table)
{
	struct spe_entry **list = xreallocarray(NULL, table->nr, sizeof(*list));

	for (size_t i = 0; i < table->nr; i++)
		list[i] = entry_at(table, i);
	return list;
}
