/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A recording of SPE: its description, and its samples with time and process. Two passes: data
 * needed to attribute samples first, then the samples.
 */
#ifndef N3SPE_RECORDING_H
#define N3SPE_RECORDING_H

#include "clock.h"
#include "file.h"
#include "libspe/spe.h"
#include "switches.h"
#include "tasks.h"

struct spe_cpu {
	int cpu;
	uint64_t midr, pmsidr;
};

/* Limits to the samples' meaning. */
struct spe_limits {
	uint64_t lost[SPE_NR_LOST];	/* windows by reason; 0: an unknown one */
	uint64_t lost_perf;		/* perf's records */
	uint64_t gaps, gap_bytes;	/* in AUX buffers, for any reason */
	uint64_t collisions;		/* windows with any */
	uint64_t truncated, partial;	/* windows */
	uint64_t damaged, bad_bytes, unknown;	/* records, bytes, packets */
	uint64_t bad_perf;		/* chunks holding anything but perf records */
	uint64_t bad_headers;		/* AUX chunks with an invalid header */
};

struct spe_recording {
	struct spe_file file;
	char *info;			/* of SPE_CHUNK_INFO */
	struct spe_cpu *cpus;
	size_t nr_cpus;
	uint64_t period, sample_type;
	struct spe_clock clock;
	uint64_t counter_bits;		/* of latencies; 0 if unknown */
	struct spe_tasks tasks;
	char *kallsyms;			/* NULL if absent, or taken by a caller */
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
	int cpu;			/* -1 if unknown */
	uint32_t pid;			/* or SPE_PID_UNKNOWN */
	uint32_t life;			/* life of @pid, or SPE_NO_LIFE */
	uint64_t time;			/* of perf, in ns; 0 if unknown */
};

/* Exits if the file is not a recording. */
void spe_recording_open(struct spe_recording *recording, const struct spe_input *input);
void spe_recording_close(struct spe_recording *recording);

typedef void (*spe_sample_fn)(const struct spe_sample *sample, void *context);

/* Passes on every good record, and fills in the limits. */
void spe_recording_samples(struct spe_recording *recording, spe_sample_fn fn, void *context);
/* Prepares for another pass. */
void spe_recording_again(struct spe_recording *recording);

/* Return: the value of a key in the description, NULL if absent; the caller frees it. */
char *spe_recording_info(const struct spe_recording *recording, const char *key);
/* Return: the CPU's MIDR_EL1, 0 if unknown. */
uint64_t spe_recording_midr(const struct spe_recording *recording, int cpu);
/* Return: whether the decoder knows the cores of all CPUs. */
bool spe_recording_is_known(const struct spe_recording *recording);
/* Bits of its latency counters. */
unsigned int spe_recording_bits(const struct spe_recording *recording, int cpu);
/* Effective period, as adjusted by the driver. */
uint64_t spe_recording_period(const struct spe_recording *recording);

#endif
