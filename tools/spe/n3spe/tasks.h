/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Processes of a recording, and their mappings over time. IDs of processes and threads are reused:
 * a life is one process executing one program, from its fork or exec to the next exec or the next
 * process with its ID.
 */
#ifndef N3SPE_TASKS_H
#define N3SPE_TASKS_H

#include "objects.h"
#include "perf.h"
#include "symbols.h"
#include "threads.h"

/* No life: the maximum number of one, plus 1. */
#define SPE_NO_LIFE	0x7fffffffu
/* Location of an address. */
struct spe_place {
	uint32_t object;	/* its index */
	uint64_t offset;	/* in the file */
};

struct spe_tasks {
	struct spe_objects objects;
	struct spe_extent *extents;	/* of the kernel and its modules */
	size_t nr_extents;
	unsigned long dropped;		/* records about tasks, beyond the limit */
	/* private: */
	struct spe_process *processes;
	size_t nr_processes, max_processes;
	uint32_t *slots;	/* by pid: 0, or 1 + the index of a process */
	size_t nr_slots;
	struct spe_life *lives;
	size_t nr_lives, max_lives;
	struct spe_threads threads;
	size_t nr_entries;
};

void spe_tasks_init(struct spe_tasks *tasks);
void spe_tasks_free(struct spe_tasks *tasks);

/* Adds a perf record; call spe_tasks_ready() after the last one. */
void spe_tasks_add(struct spe_tasks *tasks, const struct spe_perf_record *record);
void spe_tasks_ready(struct spe_tasks *tasks);

/* Return: the process of a thread at this time, or SPE_PID_UNKNOWN. */
uint32_t spe_tasks_pid(const struct spe_tasks *tasks, uint32_t tid, uint64_t time);
/* Return: the life of a process ID at this time, or SPE_NO_LIFE. */
uint32_t spe_tasks_life(struct spe_tasks *tasks, uint32_t pid, uint64_t time);

/* Return: "5 make", its ID and last known name; the caller frees it. */
char *spe_life_label(const struct spe_tasks *tasks, uint32_t life);
/* Return: the time of its last change. */
uint64_t spe_life_settled(const struct spe_tasks *tasks, uint32_t life);
/* Return: whether a file was mapped there at this time. */
bool spe_life_find(const struct spe_tasks *tasks, uint32_t life, uint64_t address, uint64_t time,
		   struct spe_place *place);

#endif
