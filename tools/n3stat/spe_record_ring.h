/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The ring of a CPU: the perf events of that CPU, or of tasks while they run there, the
 * buffer of perf's records that they share, and the AUX buffer that SPE writes to.
 */
#ifndef N3STAT_SPE_RECORD_RING_H
#define N3STAT_SPE_RECORD_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "spe_record_options.h"
#include "spe_record_pmu.h"

/* What follows each of perf's records: sample_id_all, with these in this order. */
#define SPE_SAMPLE_TYPE	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
			 PERF_SAMPLE_IDENTIFIER)

struct spe_trailer {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint64_t id;
};

struct spe_event {
	int fd;
	bool samples;		/* else side-band only */
	pid_t task;		/* -1: all */
	uint64_t id;
};

/* A part of the AUX buffer that the kernel spoke of. */
struct spe_segment {
	uint64_t start, size, flags, time;
	int32_t pid, tid;
};

struct spe_ring {
	uint32_t number;
	int cpu;
	const struct spe_pmu *pmu;	/* NULL: side-band only */
	struct spe_event *events;	/* the first owns the ring */
	size_t nr_events;
	struct perf_event_mmap_page *page;	/* NULL: closed */
	uint8_t *aux;
	size_t data_size, aux_size;
	uint64_t base;			/* what earlier AUX buffers of the stream held */
	uint64_t tail;			/* read up to here */
	struct spe_segment *segments;	/* not yet written out */
	size_t nr_segments;
	uint64_t tail_before;		/* what the kernel may have known as the tail */
	size_t polled;			/* the event that is waited for */
	bool is_full;			/* the kernel has stopped SPE, or has to */
	bool is_odd;			/* it may have */
	bool is_dead;			/* only opening it again helps */
	uint64_t full_since;		/* of perf, 0 if unknown */
	uint64_t progress_ms;		/* of the monotonic clock, when SPE last wrote */
	uint64_t running_ns;		/* spe_ring_time_running() at the last look */
};

/* What could not be done, and why. */
enum spe_step { SPE_STEP_SAMPLES, SPE_STEP_SIDEBAND, SPE_STEP_BUFFER, SPE_STEP_AUX };

struct spe_failure {
	enum spe_step step;
	int error;
	int cpu;
	pid_t task;
	const char *pmu;
};

/* The event's attributes; ends the program if the driver does not know an option. */
union spe_attr spe_attr_samples(const struct spe_pmu *pmu,
				const struct spe_record_options *options);
union spe_attr spe_attr_sideband(void);

/*
 * Opens all events of the ring, disabled but for the side-band, of these tasks or of all.
 * on_exec: they start with the task's next exec. Return: whether it worked.
 */
bool spe_ring_open(struct spe_ring *ring, const struct spe_record_options *options,
		   const pid_t *tasks, size_t nr_tasks, bool on_exec,
		   struct spe_failure *failure);
void spe_ring_close(struct spe_ring *ring);
void __attribute__((__noreturn__)) spe_ring_die(const struct spe_failure *failure,
						const struct spe_record_options *options);

void spe_ring_enable(const struct spe_ring *ring);
void spe_ring_disable(const struct spe_ring *ring);
/* How long the ring's first event was on its CPU, in ns; 0 if unknown. */
uint64_t spe_ring_time_running(const struct spe_ring *ring);

/* Up to where SPE has written. To be read before perf's records, which say what it is. */
uint64_t spe_ring_aux_head(const struct spe_ring *ring);
/* All before is read and may be written to again. */
void spe_ring_aux_done(struct spe_ring *ring, uint64_t tail);
/* All of perf's records that are there, in a buffer that the next call uses again. */
const void *spe_ring_records(struct spe_ring *ring, size_t *size);

#endif
