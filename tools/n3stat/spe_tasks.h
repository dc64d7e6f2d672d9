/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Processes of a recording, and what each had mapped where at which time. */
#ifndef N3STAT_SPE_TASKS_H
#define N3STAT_SPE_TASKS_H

#include "spe_perf.h"

/* No process is known. */
#define SPE_PID_UNKNOWN	0x7fffffffu
#define SPE_BUILD_ID_MAX	20

/* A file that was mapped. */
struct spe_object {
	char *name;
	uint8_t build_id[SPE_BUILD_ID_MAX];
	size_t build_id_size;	/* 0: not known */
};

/* Where an address belongs to. */
struct spe_place {
	uint32_t object;	/* its number */
	uint64_t offset;	/* in the file */
};

struct spe_tasks {
	struct spe_object *objects;
	size_t nr_objects, max_objects;
	/* private: */
	uint32_t *names;	/* by name: 0, or 1 + the number of an object */
	size_t nr_names;
	struct spe_process *processes;
	size_t nr_processes, max_processes;
	uint32_t *slots;	/* by pid: 0, or 1 + the number of a process */
	size_t nr_slots;
	struct spe_thread *threads;
	size_t nr_threads, max_threads;
	size_t nr_maps;
	unsigned long dropped;	/* maps, as there were too many */
};

void spe_tasks_init(struct spe_tasks *tasks);
void spe_tasks_free(struct spe_tasks *tasks);

/* Takes one of perf's records in; spe_tasks_ready() after the last one. */
void spe_tasks_add(struct spe_tasks *tasks, const struct spe_perf_record *record);
void spe_tasks_ready(struct spe_tasks *tasks);

/* Return: the object of this name, a new one if there is none. */
struct spe_object *spe_tasks_object(struct spe_tasks *tasks, const char *name, size_t len);

/* Return: the process of a thread, SPE_PID_UNKNOWN if it is not known. */
uint32_t spe_tasks_pid(const struct spe_tasks *tasks, uint32_t tid);
/* Return: the name of a process, NULL if it is not known. */
const char *spe_tasks_name(const struct spe_tasks *tasks, uint32_t pid);
/* Return: when the last mapping was added to a process. */
uint64_t spe_tasks_settled(const struct spe_tasks *tasks, uint32_t pid);
/* Return: whether a file was mapped there at this time. */
bool spe_tasks_find(const struct spe_tasks *tasks, uint32_t pid, uint64_t address, uint64_t time,
		    struct spe_place *place);

#endif
