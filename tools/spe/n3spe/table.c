// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Most frequent addresses, in bounded memory. */
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "table.h"

#define SAMPLE	101	/* entries sampled for the median */
#define SLOTS	(2 * SPE_ENTRIES_MAX)

static struct spe_entry *entry_at(const struct spe_table *table, size_t i)
{
	return (struct spe_entry *)(table->entries + i * table->size);
}

void spe_table_init(struct spe_table *table, size_t size)
{
	table->size = size;
	table->entries = xreallocarray(NULL, SPE_ENTRIES_MAX, size);
	table->slots = xcalloc(SLOTS, sizeof(*table->slots));
}

void spe_table_free(struct spe_table *table)
{
	free(table->entries);
	free(table->slots);
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

struct spe_entry *spe_table_add(struct spe_table *table, uint64_t address, uint32_t owner)
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
	entry->count++;
	return entry;
}

struct spe_entry **spe_table_list(const struct spe_table *table)
{
	struct spe_entry **list = xreallocarray(NULL, table->nr, sizeof(*list));

	for (size_t i = 0; i < table->nr; i++)
		list[i] = entry_at(table, i);
	return list;
}
