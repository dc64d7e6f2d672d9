/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Totals of a recording's samples. */
#ifndef N3SPE_SUMMARY_H
#define N3SPE_SUMMARY_H

#include "where.h"

#define SPE_NR_EVENTS		64
#define SPE_LINE_SIZE		64
#define SPE_LINE_CPUS		512	/* higher numbers share one of these */

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

/*
 * Most frequent addresses, in bounded memory (Misra-Gries algorithm with a hash table). Exact while
 * all fit. When full, the median count is subtracted from all entries, and those without a
 * remainder are evicted. From then on any count, including 0 for absent addresses, is too small by
 * up to @error. Entries are the head of structures of @size bytes.
 */
struct spe_table {
	char *entries;
	uint32_t *slots;	/* 0, or 1 + the index of an entry */
	size_t size, nr;
	uint64_t error, dropped;	/* of all records */
};

/* Kinds of records. */
enum spe_kind {
	SPE_KIND_LOAD,
	SPE_KIND_STORE,
	SPE_KIND_ATOMIC,	/* load and store */
	SPE_KIND_BRANCH,
	SPE_KIND_OTHER,
	SPE_KIND_UNKNOWN,	/* without an operation, or of an unknown class */
	SPE_NR_KINDS
};

/* Distribution of a counter's values. */
struct spe_histogram {
	uint64_t *counts;	/* NULL if empty */
	uint64_t nr, sum;
	uint16_t max;
};

/* Latencies: of all records, of each kind and data source. */
enum {
	SPE_TOTAL,
	SPE_ISSUE,
	SPE_TRANSLATION,
	SPE_BY_KIND,
	SPE_BY_SOURCE = SPE_BY_KIND + SPE_NR_KINDS,
	SPE_NR_LATENCIES = SPE_BY_SOURCE + SPE_NR_SOURCES
};

enum { SPE_PROCESSES, SPE_FUNCTIONS, SPE_INSTRUCTIONS, SPE_DATA, SPE_LINES, SPE_NR_TABLES };

/* A cache line: its users, and the words used. */
struct spe_line {
	struct spe_entry entry;
	uint64_t readers[SPE_LINE_CPUS / 64], writers[SPE_LINE_CPUS / 64];
	uint32_t words;
	uint32_t code_owner;	/* of the last sample's instruction */
	uint64_t code;
};

struct spe_filter {
	const bool *cpus;	/* MAX_CPUS of them, by number; NULL: all */
	bool by_pid;
	uint32_t pid;
};

struct spe_summary {
	struct spe_recording *recording;
	struct spe_resolver *resolver;
	struct spe_filter filter;
	uint16_t saturated;		/* value of a saturated counter of latency */
	uint64_t excluded;		/* records */
	uint64_t first, last;		/* times of perf in ns */
	uint64_t timed;			/* records with a time */
	uint64_t addressed;		/* those with an address of code */
	uint64_t no_process, no_symbol, no_map, other_file;
	uint64_t kinds[SPE_NR_KINDS], events[SPE_NR_EVENTS];
	struct spe_histogram latencies[SPE_NR_LATENCIES];
	struct spe_entry total;		/* of all records, with or without an address */
	struct spe_table tables[SPE_NR_TABLES];
};

/* Adds all samples of the recording. */
void spe_summary_make(struct spe_summary *summary, struct spe_recording *recording,
		      struct spe_resolver *resolver, const struct spe_filter *filter);
void spe_summary_free(struct spe_summary *summary);

/* Return: slot of a core's source number. */
size_t spe_source_slot(bool is_known, uint64_t source);
/* Return: its name or number, which the caller frees. */
char *spe_slot_name(size_t slot);

/* Return: pointers to all entries; the caller frees the array. */
struct spe_entry **spe_table_list(const struct spe_table *table);

#endif
