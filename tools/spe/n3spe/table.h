/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Most frequent addresses, in bounded memory (Misra-Gries algorithm with a hash table). Exact while
 * all fit. When full, the median count is subtracted from all entries, and those without a
 * remainder are evicted. From then on any count, including 0 for absent addresses, is too small by
 * up to @error.
 */
#ifndef N3SPE_TABLE_H
#define N3SPE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libspe/spe.h"

/* Named sources; values 0 to 15 and all others of unknown cores follow. */
#define SPE_NR_NAMED_SOURCES	8
#define SPE_NR_RAW_SOURCES	17
#define SPE_NR_SOURCES		(SPE_NR_NAMED_SOURCES + SPE_NR_RAW_SOURCES)

/* Addresses kept, in 26 MB for all tables. */
#define SPE_ENTRIES_MAX		32768

/* Records of a kind, in the order of columns. */
enum spe_count {
	SPE_LOADS,
	SPE_STORES,
	SPE_MISPREDICTED,
	SPE_WALKS,
	SPE_LATE,
	SPE_PEER,
	SPE_NR_COUNTS
};

/* Counts of one address; all but @count since it entered the table. */
struct spe_entry {
	uint64_t address;
	uint64_t count;
	uint64_t latency;	/* total, of @timed records */
	uint32_t owner;
	uint32_t timed;
	uint32_t longest;	/* latency */
	uint32_t counts[SPE_NR_COUNTS];
	uint32_t sources[SPE_NR_SOURCES];
};

/* Entries are the head of the caller's structures of @size bytes. */
struct spe_table {
	char *entries;
	uint32_t *slots;	/* 0, or 1 + the index of an entry */
	size_t size, nr;
	uint64_t error;
};

void spe_table_init(struct spe_table *table, size_t size);
void spe_table_free(struct spe_table *table);

/* Return: the entry, incremented; valid until the next call. */
struct spe_entry *spe_table_add(struct spe_table *table, uint64_t address, uint32_t owner);

/* Return: pointers to all entries; the caller frees the array. */
struct spe_entry **spe_table_list(const struct spe_table *table);

#endif
