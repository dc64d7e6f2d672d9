/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Ring of a CPU: the perf events of that CPU, or of tasks while they run there, their common buffer
 * of perf records, and the AUX buffer that SPE writes to.
 */
#ifndef N3SPE_RECORD_RING_H
#define N3SPE_RECORD_RING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "clock.h"
#include "record_pmu.h"

struct spe_event {
	int fd;
	bool samples;		/* else side-band only */
};

enum spe_step { SPE_STEP_SAMPLES, SPE_STEP_SIDEBAND, SPE_STEP_BUFFER };

struct spe_ring {
	uint32_t number;
	int cpu;
	const struct spe_pmu *pmu;	/* NULL: side-band only */
	struct spe_event *events;	/* the first owns the ring */
	size_t nr_events;
	struct perf_event_mmap_page *page;	/* NULL: closed */
	uint8_t *aux;
	size_t aux_size;
	uint64_t base;			/* position of the AUX buffer in the stream */
	uint64_t tail;			/* read position */
	uint64_t tail_before;		/* an earlier tail that the kernel may still use */
	size_t polled;			/* index of the polled event */
	bool is_full;			/* SPE is stopped by a full buffer, or will be */
	bool is_odd;			/* SPE may be stopped */
	bool is_dead;			/* requires reopening */
	bool is_flagged;		/* is_full, and an AUX record shows it */
	double progress;		/* last write of SPE, of monotonic_now() */
	uint64_t running_ns;		/* spe_ring_time_running() at the last check */
	/* of the last failure to open it */
	enum spe_step failed_step;
	int error;
	pid_t failed_task;
};

/*
 * Opens all events of the ring, for these tasks or all, with only the side-band enabled. on_exec:
 * they start with the task's next exec. Return: whether it worked.
 */
bool spe_ring_open(struct spe_ring *ring, const struct spe_record_options *options,
		   const pid_t *tasks, size_t nr_tasks, bool on_exec);
void spe_ring_close(struct spe_ring *ring);
void __attribute__((__noreturn__)) spe_ring_die(const struct spe_ring *ring,
						const struct spe_record_options *options);

/* Enables or disables sampling. */
void spe_ring_switch(const struct spe_ring *ring, bool on);
/* Return: time in ns that the ring's first event was on its CPU; 0 if unknown. */
uint64_t spe_ring_time_running(const struct spe_ring *ring);

/* Write position of SPE. Read it before perf's records, which describe the data. */
uint64_t spe_ring_aux_head(const struct spe_ring *ring);
/* Releases the data up to @tail. */
void spe_ring_aux_done(struct spe_ring *ring, uint64_t tail);
/* Takes all available perf records. Return: their size. */
size_t spe_ring_records(struct spe_ring *ring, void *to);

/* Timer of SPE's timestamps. */
#ifdef __aarch64__
static inline uint64_t spe_timer(void)
{
	uint64_t ticks;

	asm volatile("isb; mrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
	return ticks;
}
#else
/* Never called: only arm64 has SPE. */
static inline uint64_t spe_timer(void)
{
	return 0;
}
#endif

void spe_clock_read(struct spe_clock *clock, const struct perf_event_mmap_page *page);
/* Return: perf's time now, 0 if unknown. */
uint64_t spe_clock_now(const struct spe_clock *clock);

#endif
