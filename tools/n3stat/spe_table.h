/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What is most frequent among any number of addresses, in bounded memory (Misra and
 * Gries's algorithm, with a hash table): exact as long as they fit. When they do not, the
 * median count is taken off all, and what has nothing left goes. Then every count, also
 * that of what is not in the table, is too small by at most @error.
 */
#ifndef N3STAT_SPE_TABLE_H
#define N3STAT_SPE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spe/spe.h"

/* Those that have a name; values 0 to 15 and all others of cores that are not known. */
#define SPE_NR_NAMED_SOURCES	8
#define SPE_NR_RAW_SOURCES	17
#define SPE_NR_SOURCES		(SPE_NR_NAMED_SOURCES + SPE_NR_RAW_SOURCES)

/* Counts of one address; all but @count since it came into the table. */
struct spe_entry {
	uint64_t address;
	uint64_t count;
	uint64_t latency;	/* total, of @timed records */
	uint32_t owner;		/* whose address it is */
	uint32_t timed, saturated;
	uint32_t loads, stores, branches, mispredicted, walks, late, peer;
	uint32_t sources[SPE_NR_SOURCES];
};

/* An entry starts what the caller keeps of an address, @size bytes. */
struct spe_table {
	char *entries;
	uint32_t *slots;	/* 0, or 1 + the number of an entry */
	size_t size, nr, max, nr_slots;
	uint64_t error;
};

void spe_table_init(struct spe_table *table, size_t size, size_t max);
void spe_table_free(struct spe_table *table);

/* Return: the entry, counted once more; valid until the next call. */
struct spe_entry *spe_table_add(struct spe_table *table, uint64_t address, uint32_t owner);

/* Return: pointers to all entries, to be freed; NULL if there are none. */
struct spe_entry **spe_table_list(const struct spe_table *table);

#endif
