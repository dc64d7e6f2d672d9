/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Processes that own thread IDs, which are reused over time. */
#ifndef N3SPE_THREADS_H
#define N3SPE_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Unknown process. */
#define SPE_PID_UNKNOWN	0x7fffffffu
/* Time of a sample without one. */
#define SPE_NO_TIME	UINT64_MAX

/* Event by which a thread is known. */
enum spe_thread_event { SPE_THREAD_FORKED, SPE_THREAD_NAMED, SPE_THREAD_GONE };

struct spe_threads {
	struct spe_owner *owners;
	size_t nr, max;
	uint64_t until;		/* later ones were dropped */
	unsigned long dropped;
};

void spe_threads_init(struct spe_threads *threads);
void spe_threads_free(struct spe_threads *threads);
void spe_threads_add(struct spe_threads *threads, uint64_t time, uint32_t tid, uint32_t pid,
		     enum spe_thread_event how);
/* Call after the last event. */
void spe_threads_ready(struct spe_threads *threads);
/* Return: the process of a thread at this time, or SPE_PID_UNKNOWN. *@is_known: it had events. */
uint32_t spe_threads_pid(const struct spe_threads *threads, uint32_t tid, uint64_t time,
			 bool *is_known);

#endif
