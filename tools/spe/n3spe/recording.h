/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A recording of SPE: its description, and the places of all data, from a first pass over it. */
#ifndef N3SPE_RECORDING_H
#define N3SPE_RECORDING_H

#include "clock.h"
#include "file.h"
#include "kernel.h"
#include "libspe/spe.h"
#include "losses.h"
#include "runs.h"
#include "streams.h"
#include "tasks.h"

/* Limits to the samples' meaning. */
struct spe_limits {
	uint64_t collisions;		/* windows with any */
	uint64_t truncated, partial;	/* windows */
	uint64_t gaps, gap_bytes;	/* in AUX buffers, for any reason */
	uint64_t lost_perf;		/* records of perf */
	uint64_t untimed;		/* records without a time, whose process depends on it */
	uint64_t damaged, bad_bytes, unknown;	/* records, bytes, packets */
};

/* State of a CPU; number -1 stands for threads that are recorded on all CPUs. */
struct spe_cpu {
	uint64_t midr;			/* 0: unknown */
	uint64_t losses[SPE_NR_LOSSES];	/* windows, by enum spe_lost_reason */
	uint64_t lost_bytes;		/* of SPE_LOST_BYTES */
	/* private: */
	uint32_t pid;			/* by task switches */
	uint64_t last_sample;		/* its time */
	uint64_t last_switch;		/* to a task */
	uint64_t longest;		/* time between two samples with switches between them */
	uint64_t switches;		/* since the last sample */
	bool has_samples;
	uint64_t last_record;		/* time, in the first pass */
};

/* From this time on, records of a CPU were lost: the task that runs is unknown. */
struct spe_doubt {
	uint64_t time;
	int cpu;
};

struct spe_recording {
	struct spe_file file;
	struct spe_clock clock;
	struct spe_tasks tasks;
	uint64_t period;
	uint64_t midr;			/* of all CPUs, 0: unknown or different */
	struct spe_cpu *cpus;		/* cpus[1 + number] */
	size_t nr_cpus;
	struct spe_kernel_id kernel;
	struct spe_limits limits;
	/* private: */
	struct spe_streams streams;
	struct spe_runs runs;
	struct spe_doubt *doubts;	/* by time */
	size_t nr_doubts, max_doubts;
	bool has_spe;			/* PERF_RECORD_AUXTRACE_INFO */
	uint64_t pmu_type;		/* in it */
	bool only_user;			/* without samples of the kernel */
};

/* Exits if the file is not a recording of SPE that can be read. */
void spe_recording_open(struct spe_recording *recording, const struct spe_input *input);
void spe_recording_close(struct spe_recording *recording);

/* Return: state of a CPU, added if new; valid until the next call. Impossible numbers are -1. */
struct spe_cpu *spe_recording_cpu(struct spe_recording *recording, int number);
/* Return: the CPU's MIDR_EL1, 0 if unknown. */
uint64_t spe_recording_midr(const struct spe_recording *recording, int cpu);
/* Return: whether the decoder knows the cores of all CPUs. */
bool spe_recording_is_known(const struct spe_recording *recording);
/* Effective period, as adjusted by the driver. */
uint64_t spe_recording_period(const struct spe_recording *recording);

#endif
