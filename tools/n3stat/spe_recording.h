/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A recording of SPE: what it says about itself, and its samples with the time and the
 * process of each. Read twice: for what is needed to place a sample, then sample by sample.
 */
#ifndef N3STAT_SPE_RECORDING_H
#define N3STAT_SPE_RECORDING_H

#include "spe/spe.h"
#include "spe_file.h"
#include "spe_switches.h"
#include "spe_tasks.h"

#define SPE_NR_LOST	(SPE_LOST_UNKNOWN_SIZE + 1)

struct spe_cpu {
	int cpu;
	uint64_t midr, pmsidr;
};

/* What limits the samples' meaning. */
struct spe_limits {
	uint64_t lost[SPE_NR_LOST];	/* windows by reason; 0: a reason to come */
	uint64_t lost_perf;		/* perf's records */
	uint64_t gaps, gap_bytes;	/* in AUX buffers, whatever the reason */
	uint64_t collisions;		/* windows with any */
	uint64_t truncated, partial;	/* windows */
	uint64_t damaged, bad_bytes, unknown;	/* records, bytes, packets */
	uint64_t bad_perf;		/* chunks with others than perf's records */
	uint64_t bad_headers;		/* chunks of an AUX buffer that cannot be */
};

struct spe_recording {
	struct spe_file file;
	char *info;			/* of SPE_CHUNK_INFO, '\n' made '\0' */
	size_t info_size;
	struct spe_cpu *cpus;
	size_t nr_cpus;
	uint64_t period, sample_type;
	uint64_t clock_mult, clock_zero, clock_cycles, clock_mask;
	uint64_t counter_bits;		/* of latencies; 0 if not known */
	unsigned int clock_shift;
	struct spe_tasks tasks;
	char *kallsyms;			/* NULL if there is none; who takes it sets it to NULL */
	uint64_t aux_bytes;
	bool has_end;
	struct spe_limits limits;
	/* private: */
	struct spe_switches switches;
	struct spe_recording_stream **streams;
	size_t nr_streams;
};

struct spe_sample {
	const struct spe_record *record;
	int cpu;			/* -1: not known */
	uint32_t pid;			/* SPE_PID_UNKNOWN: not known */
	uint32_t life;			/* of that number, SPE_NO_LIFE if it is not known */
	uint64_t time;			/* of perf, in ns; 0: not known */
};

/* Dies if it is no recording. */
void spe_recording_open(struct spe_recording *recording, const char *name, bool salvage);
void spe_recording_close(struct spe_recording *recording);

typedef void (*spe_sample_fn)(const struct spe_sample *sample, void *context);

/* Hands out every good record, and fills in the limits. */
void spe_recording_samples(struct spe_recording *recording, spe_sample_fn fn, void *context);
/* Before handing them out once more. */
void spe_recording_again(struct spe_recording *recording);

/* Return: what the recording says under this key, NULL if nothing. */
const char *spe_recording_info(const struct spe_recording *recording, const char *key);
/* The same of a text of "key value" lines with '\0' at their ends. */
const char *spe_text_value(const char *text, size_t size, const char *key);
/* Return: the CPU's ID registers, NULL if they are not known. */
const struct spe_cpu *spe_recording_cpu(const struct spe_recording *recording, int cpu);
/* Return: its MIDR_EL1, 0 if it is not known. */
uint64_t spe_recording_midr(const struct spe_recording *recording, int cpu);
/* Return: whether all CPUs are cores that the decoder knows. */
bool spe_recording_is_known(const struct spe_recording *recording);
/* Bits of its latency counters. */
unsigned int spe_recording_bits(const struct spe_recording *recording, int cpu);
/* The period that the driver makes of the one that was asked for. */
uint64_t spe_recording_period(const struct spe_recording *recording);

#endif
