/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Totals of a recording's samples. */
#ifndef N3SPE_SUMMARY_H
#define N3SPE_SUMMARY_H

#include "table.h"
#include "where.h"

#define SPE_NR_EVENTS		64
#define SPE_LINE_SIZE		64
#define SPE_LINE_CPUS		512	/* higher numbers share one of these */

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
	uint64_t no_process, no_symbol, no_map, no_pc, other_file;
	uint64_t kinds[SPE_NR_KINDS], events[SPE_NR_EVENTS];
	struct spe_histogram latencies[SPE_NR_LATENCIES];
	struct spe_entry total;		/* of all records, with or without an address */
	struct spe_table tables[SPE_NR_TABLES];
};

/* Adds all samples of the recording. */
void spe_summary_make(struct spe_summary *summary, struct spe_recording *recording,
		      struct spe_resolver *resolver, const struct spe_filter *filter);
void spe_summary_free(struct spe_summary *summary);

/* Smallest value not exceeded by @percent of all; 0 if empty. */
uint16_t spe_percentile(const struct spe_histogram *histogram, double percent);

/* Return: slot of a core's source number. */
size_t spe_source_slot(bool is_known, uint64_t source);
/* Return: its name or number, which the caller frees. */
char *spe_slot_name(size_t slot);

/* Return: the number of readers or writers. */
unsigned int spe_line_cpus(const uint64_t *cpus);
/* Whether several CPUs use it and one of them writes it or fetched it from another. */
bool spe_line_is_contended(const struct spe_line *line);

#endif
