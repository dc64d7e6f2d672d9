/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Processes and threads of a recording, and the mappings and names that they have now: records are
 * added in the order of time. IDs of processes and threads are reused: a life is one process
 * executing one program, from its fork or exec to the next exec or the next process with its ID.
 */
#ifndef N3SPE_TASKS_H
#define N3SPE_TASKS_H

#include "maps.h"
#include "objects.h"
#include "perf.h"

/* No process: the maximum number of one, plus 1. */
#define SPE_PID_UNKNOWN	0x7fffffffu
#define SPE_NO_LIFE	0x7fffffffu

/* Location of an address. */
struct spe_place {
	uint32_t object;	/* its index */
	uint64_t offset;	/* in the file */
};

struct spe_tasks {
	struct spe_objects objects;
	/* private: */
	struct spe_task *tasks;
	size_t nr_tasks, max_tasks;
	uint32_t *slots;	/* by number: 0, or 1 + the index of a task */
	size_t nr_slots;
	struct spe_life *lives;
	size_t nr_lives, max_lives;
	uint64_t seed;
};

void spe_tasks_init(struct spe_tasks *tasks);
void spe_tasks_free(struct spe_tasks *tasks);

/*
 * First pass, in any order: learns the files, and to which processes threads belong before the
 * first record about them. Call spe_objects_ready() after the last one.
 */
void spe_tasks_learn(struct spe_tasks *tasks, const struct spe_perf_record *record);

/* Second pass, and others: back to the state before all records. */
void spe_tasks_rewind(struct spe_tasks *tasks);
void spe_tasks_add(struct spe_tasks *tasks, const struct spe_perf_record *record);

/* Return: the process of a thread now, or SPE_PID_UNKNOWN. */
uint32_t spe_tasks_pid(const struct spe_tasks *tasks, uint32_t tid);
/* Return: whether the process has mappings now; kernel threads have none. */
bool spe_tasks_has_maps(const struct spe_tasks *tasks, uint32_t pid);
/* Return: the life of a process ID now, or SPE_NO_LIFE. */
uint32_t spe_tasks_life(struct spe_tasks *tasks, uint32_t pid);

/* Return: "5 make", its ID and last known name; the caller frees it. */
char *spe_life_label(const struct spe_tasks *tasks, uint32_t life);
/* Return: number of changes of its mappings. */
uint32_t spe_life_changes(const struct spe_tasks *tasks, uint32_t life);
/* Return: whether a file is mapped there now. */
bool spe_life_find(const struct spe_tasks *tasks, uint32_t life, uint64_t address,
		   struct spe_place *place);

#endif
