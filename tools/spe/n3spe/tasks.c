// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Processes and threads of a recording, their mappings and names. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "lib/memory.h"
#include "tasks.h"

#define NAME_MAX_COMM	16

/* A number of a process, a thread or both. */
struct spe_task {
	uint32_t number;
	/* as a thread: its process, or SPE_PID_UNKNOWN */
	uint32_t pid, pid_before;	/* now, and before the first record about it */
	uint64_t first;			/* time of that record */
	bool is_thread;
	/* as a process */
	bool is_process;
	bool has_ended;			/* its first thread: others may continue */
	uint32_t life;			/* the present one, or SPE_NO_LIFE */
	struct spe_maps *maps;
};

struct spe_life {
	uint32_t pid, changes;
	char name[NAME_MAX_COMM];
};

void spe_tasks_init(struct spe_tasks *tasks)
{
	const void *random = (const void *)getauxval(AT_RANDOM);

	*tasks = (struct spe_tasks) { .nr_slots = 1024, .seed = 1 };
	if (random)
		memcpy(&tasks->seed, random, sizeof(tasks->seed));
	tasks->seed |= 1;
	tasks->slots = xcalloc(tasks->nr_slots, sizeof(*tasks->slots));
	spe_objects_init(&tasks->objects);
}

void spe_tasks_free(struct spe_tasks *tasks)
{
	spe_tasks_rewind(tasks);
	spe_objects_free(&tasks->objects);
	free(tasks->tasks);
	free(tasks->slots);
	free(tasks->lives);
}

static uint32_t *find_slot(const struct spe_tasks *tasks, uint32_t number)
{
	size_t slot = number * 2654435769u & (tasks->nr_slots - 1);

	while (tasks->slots[slot] && tasks->tasks[tasks->slots[slot] - 1].number != number)
		slot = (slot + 1) & (tasks->nr_slots - 1);
	return &tasks->slots[slot];
}

static void grow_slots(struct spe_tasks *tasks)
{
	tasks->nr_slots *= 2;
	free(tasks->slots);
	tasks->slots = xcalloc(tasks->nr_slots, sizeof(*tasks->slots));
	for (size_t i = 0; i < tasks->nr_tasks; i++)
		*find_slot(tasks, tasks->tasks[i].number) = (uint32_t)i + 1;
}

static struct spe_task *find_task(const struct spe_tasks *tasks, uint32_t number)
{
	uint32_t slot = *find_slot(tasks, number);

	return slot ? &tasks->tasks[slot - 1] : NULL;
}

/* Valid until the next call. */
static struct spe_task *get_task(struct spe_tasks *tasks, uint32_t number)
{
	struct spe_task *task = find_task(tasks, number);

	if (task)
		return task;
	if (tasks->nr_tasks * 2 >= tasks->nr_slots)
		grow_slots(tasks);
	tasks->tasks = xgrow(tasks->tasks, tasks->nr_tasks, &tasks->max_tasks,
			     sizeof(*tasks->tasks));
	task = &tasks->tasks[tasks->nr_tasks++];
	*task = (struct spe_task) {
		.number = number, .pid = SPE_PID_UNKNOWN, .pid_before = SPE_PID_UNKNOWN,
		.first = UINT64_MAX, .life = SPE_NO_LIFE,
	};
	*find_slot(tasks, number) = (uint32_t)tasks->nr_tasks;
	return task;
}

/* Whether numbers are ones of processes; perf uses -1 for an exited task, and for the kernel. */
static bool are_tasks(uint32_t pid, uint32_t tid)
{
	return pid < SPE_PID_UNKNOWN && tid < SPE_PID_UNKNOWN;
}

/* Process and thread that a record is about. Return: false if it is about none. */
static bool task_of(const struct spe_perf_record *record, uint32_t *pid, uint32_t *tid)
{
	uint32_t type = record->header.type;

	if (type != PERF_RECORD_COMM && type != PERF_RECORD_FORK && type != PERF_RECORD_EXIT &&
	    type != PERF_RECORD_MMAP && type != PERF_RECORD_MMAP2)
		return false;
	*pid = spe_perf_u32(record, 0);
	*tid = spe_perf_u32(record, type == PERF_RECORD_FORK || type == PERF_RECORD_EXIT ? 8 : 4);
	return are_tasks(*pid, *tid);
}

static bool is_map(const struct spe_perf_record *record)
{
	return record->header.type == PERF_RECORD_MMAP || record->header.type == PERF_RECORD_MMAP2;
}

void spe_tasks_learn(struct spe_tasks *tasks, const struct spe_perf_record *record)
{
	struct spe_task *task;
	uint32_t pid, tid;
	struct spe_map map;

	if (!task_of(record, &pid, &tid))
		return;
	get_task(tasks, pid)->is_process = true;
	if (is_map(record)) {
		spe_objects_map(&tasks->objects, record, &map);
		return;
	}
	task = get_task(tasks, tid);
	task->is_thread = true;
	if (record->id.time >= task->first)
		return;
	/* Before its fork the thread did not exist; before its name or exit it did. */
	task->first = record->id.time;
	task->pid_before = record->header.type == PERF_RECORD_FORK ? SPE_PID_UNKNOWN : pid;
}

void spe_tasks_rewind(struct spe_tasks *tasks)
{
	for (size_t i = 0; i < tasks->nr_tasks; i++) {
		struct spe_task *task = &tasks->tasks[i];

		spe_maps_drop(task->maps);
		task->maps = NULL;
		task->pid = task->pid_before;
		task->has_ended = false;
		task->life = SPE_NO_LIFE;
	}
	tasks->nr_lives = 0;
}

static void start_life(struct spe_tasks *tasks, struct spe_task *process, const char *name)
{
	struct spe_life life = { .pid = process->number };

	if (name)
		memcpy(life.name, name, sizeof(life.name));
	tasks->lives = xgrow(tasks->lives, tasks->nr_lives, &tasks->max_lives,
			     sizeof(*tasks->lives));
	process->life = (uint32_t)tasks->nr_lives;
	process->has_ended = false;
	tasks->lives[tasks->nr_lives++] = life;
}

/*
 * The process of a record. Without a fork record, another process starts when its first thread does
 * something after the one of that number had ended.
 */
static struct spe_task *process_of(struct spe_tasks *tasks, uint32_t pid, uint32_t tid)
{
	struct spe_task *process = get_task(tasks, pid);

	if (process->life != SPE_NO_LIFE && !(process->has_ended && pid == tid))
		return process;
	if (process->life != SPE_NO_LIFE) {
		spe_maps_drop(process->maps);
		process->maps = NULL;
	}
	start_life(tasks, process, NULL);
	return process;
}

static void take_map(struct spe_tasks *tasks, const struct spe_perf_record *record, uint32_t pid,
		     uint32_t tid)
{
	struct spe_task *process;
	struct spe_map map;

	if (!spe_objects_map(&tasks->objects, record, &map))
		return;
	process = process_of(tasks, pid, tid);
	process->maps = spe_maps_put(process->maps, &map, &tasks->seed);
	tasks->lives[process->life].changes++;
}

/* A thread shares its process's mappings. */
static void take_fork(struct spe_tasks *tasks, const struct spe_perf_record *record, uint32_t pid,
		      uint32_t tid)
{
	uint32_t parent_pid = spe_perf_u32(record, 4);
	char name[NAME_MAX_COMM] = "";
	struct spe_maps *maps = NULL;
	struct spe_task *process;

	if (pid != parent_pid) {
		const struct spe_task *parent = find_task(tasks, parent_pid);

		if (parent && parent->life != SPE_NO_LIFE) {
			memcpy(name, tasks->lives[parent->life].name, sizeof(name));
			maps = spe_maps_share(parent->maps);
		}
		process = get_task(tasks, pid);
		spe_maps_drop(process->maps);
		process->maps = maps;
		start_life(tasks, process, name);
	}
	get_task(tasks, tid)->pid = pid;
}

static void take_exit(struct spe_tasks *tasks, uint32_t pid, uint32_t tid)
{
	if (pid == tid)
		get_task(tasks, pid)->has_ended = true;
	get_task(tasks, tid)->pid = SPE_PID_UNKNOWN;
}

static void take_name(struct spe_tasks *tasks, const struct spe_perf_record *record, uint32_t pid,
		      uint32_t tid)
{
	bool is_exec = record->header.misc & PERF_RECORD_MISC_COMM_EXEC;
	struct spe_task *process;
	const char *text;
	size_t len = spe_perf_text(record, 8, &text);
	char *name;

	get_task(tasks, tid)->pid = pid;
	if (pid != tid && !is_exec)
		return;
	if (is_exec) {
		process = get_task(tasks, pid);
		spe_maps_drop(process->maps);
		process->maps = NULL;
		start_life(tasks, process, NULL);
	} else {
		process = process_of(tasks, pid, tid);
	}
	name = tasks->lives[process->life].name;
	if (len)
		snprintf(name, NAME_MAX_COMM, "%.*s", (int)len, text);
}

void spe_tasks_add(struct spe_tasks *tasks, const struct spe_perf_record *record)
{
	uint32_t pid, tid;

	if (!task_of(record, &pid, &tid))
		return;
	if (is_map(record))
		take_map(tasks, record, pid, tid);
	else if (record->header.type == PERF_RECORD_FORK)
		take_fork(tasks, record, pid, tid);
	else if (record->header.type == PERF_RECORD_EXIT)
		take_exit(tasks, pid, tid);
	else
		take_name(tasks, record, pid, tid);
}

uint32_t spe_tasks_pid(const struct spe_tasks *tasks, uint32_t tid)
{
	const struct spe_task *task = find_task(tasks, tid);

	if (task && task->is_thread)
		return task->pid;
	return task && task->is_process ? tid : SPE_PID_UNKNOWN;
}

bool spe_tasks_has_maps(const struct spe_tasks *tasks, uint32_t pid)
{
	const struct spe_task *task = find_task(tasks, pid);

	return task && task->maps;
}

uint32_t spe_tasks_life(struct spe_tasks *tasks, uint32_t pid)
{
	struct spe_task *process;

	if (pid >= SPE_PID_UNKNOWN)
		return SPE_NO_LIFE;
	process = get_task(tasks, pid);
	if (process->life == SPE_NO_LIFE)
		start_life(tasks, process, NULL);
	return process->life;
}

char *spe_life_label(const struct spe_tasks *tasks, uint32_t life)
{
	uint32_t pid = tasks->lives[life].pid;
	const char *name = pid ? tasks->lives[life].name : "swapper";

	return format_string("%" PRIu32 "%s%s", pid, *name ? " " : "", name);
}

uint32_t spe_life_changes(const struct spe_tasks *tasks, uint32_t life)
{
	return tasks->lives[life].changes;
}

bool spe_life_find(const struct spe_tasks *tasks, uint32_t life, uint64_t address,
		   struct spe_place *place)
{
	const struct spe_task *process = find_task(tasks, tasks->lives[life].pid);
	const struct spe_map *map = spe_maps_find(process->maps, address);

	if (!map)
		return false;
	place->object = map->object;
	place->offset = map->offset + (address - map->start);
	return true;
}
