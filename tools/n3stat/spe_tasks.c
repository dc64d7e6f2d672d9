// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Processes of a recording, and what each had mapped where at which time. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "spe_tasks.h"

/* For all processes together: 12 MB. More are dropped, and that is counted. */
#define MAPS_MAX	250000
#define THREADS_MAX	250000
#define NAME_MAX_COMM	16
#define INHERITED_MAX	8

enum kind {
	KIND_MAP,
	KIND_EXEC,		/* what was mapped before is gone */
	KIND_FORK,		/* and that of the parent is there: its pid is in start */
};

struct map {
	uint64_t time, start, end, offset;
	uint32_t object;
	uint32_t kind : 2, order : 30;	/* order: in the file */
};

struct spe_thread {
	uint32_t tid, pid;
};

struct spe_process {
	uint32_t pid;
	char name[NAME_MAX_COMM];
	uint64_t named;		/* when */
	struct map *maps;	/* by time */
	uint32_t nr_maps, max_maps;
};

static uint32_t *zeroed(uint32_t *slots, size_t nr)
{
	slots = xreallocarray(slots, nr, sizeof(*slots));
	return memset(slots, 0, nr * sizeof(*slots));
}

void spe_tasks_init(struct spe_tasks *tasks)
{
	*tasks = (struct spe_tasks) {
		.nr_slots = 1024, .slots = zeroed(NULL, 1024),
		.nr_names = 1024, .names = zeroed(NULL, 1024)
	};
}

void spe_tasks_free(struct spe_tasks *tasks)
{
	for (size_t i = 0; i < tasks->nr_processes; i++)
		free(tasks->processes[i].maps);
	for (size_t i = 0; i < tasks->nr_objects; i++)
		free(tasks->objects[i].name);
	free(tasks->processes);
	free(tasks->objects);
	free(tasks->slots);
	free(tasks->names);
	free(tasks->threads);
}

static uint32_t *find_slot(const struct spe_tasks *tasks, uint32_t pid)
{
	size_t slot = pid * 2654435769u & (tasks->nr_slots - 1);

	while (tasks->slots[slot] && tasks->processes[tasks->slots[slot] - 1].pid != pid)
		slot = (slot + 1) & (tasks->nr_slots - 1);
	return &tasks->slots[slot];
}

static void grow_slots(struct spe_tasks *tasks)
{
	tasks->nr_slots *= 2;
	tasks->slots = zeroed(tasks->slots, tasks->nr_slots);
	for (size_t i = 0; i < tasks->nr_processes; i++)
		*find_slot(tasks, tasks->processes[i].pid) = (uint32_t)i + 1;
}

static struct spe_process *find_process(const struct spe_tasks *tasks, uint32_t pid)
{
	uint32_t slot = *find_slot(tasks, pid);

	return slot ? &tasks->processes[slot - 1] : NULL;
}

static struct spe_process *get_process(struct spe_tasks *tasks, uint32_t pid)
{
	struct spe_process *process = find_process(tasks, pid);

	if (process)
		return process;
	if (tasks->nr_processes * 2 >= tasks->nr_slots)
		grow_slots(tasks);
	if (tasks->nr_processes == tasks->max_processes) {
		tasks->max_processes = tasks->max_processes ? tasks->max_processes * 2 : 64;
		tasks->processes = xreallocarray(tasks->processes, tasks->max_processes,
						 sizeof(*tasks->processes));
	}
	process = &tasks->processes[tasks->nr_processes++];
	*process = (struct spe_process) { .pid = pid };
	*find_slot(tasks, pid) = (uint32_t)tasks->nr_processes;
	return process;
}

static void add_map(struct spe_tasks *tasks, uint32_t pid, const struct map *map)
{
	struct spe_process *process = get_process(tasks, pid);

	if (tasks->nr_maps == MAPS_MAX) {
		tasks->dropped++;
		return;
	}
	if (process->nr_maps == process->max_maps) {
		process->max_maps = process->max_maps ? process->max_maps * 2 : 8;
		process->maps = xreallocarray(process->maps, process->max_maps,
					      sizeof(*process->maps));
	}
	process->maps[process->nr_maps] = *map;
	process->maps[process->nr_maps].order = process->nr_maps;
	process->nr_maps++;
	tasks->nr_maps++;
}

static uint32_t *find_name(const struct spe_tasks *tasks, const char *name, size_t len)
{
	uint32_t hash = 2166136261u;
	size_t slot;

	/* FNV-1a */
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)name[i]) * 16777619u;
	for (slot = hash & (tasks->nr_names - 1); tasks->names[slot];
	     slot = (slot + 1) & (tasks->nr_names - 1)) {
		const char *other = tasks->objects[tasks->names[slot] - 1].name;

		if (!strncmp(other, name, len) && !other[len])
			break;
	}
	return &tasks->names[slot];
}

static void grow_objects(struct spe_tasks *tasks)
{
	tasks->max_objects = tasks->nr_names;
	tasks->objects = xreallocarray(tasks->objects, tasks->max_objects,
				       sizeof(*tasks->objects));
	tasks->nr_names *= 2;
	tasks->names = zeroed(tasks->names, tasks->nr_names);
	for (size_t i = 0; i < tasks->nr_objects; i++)
		*find_name(tasks, tasks->objects[i].name, strlen(tasks->objects[i].name)) =
			(uint32_t)i + 1;
}

struct spe_object *spe_tasks_object(struct spe_tasks *tasks, const char *name, size_t len)
{
	uint32_t *slot = find_name(tasks, name, len);

	if (*slot)
		return &tasks->objects[*slot - 1];
	if (tasks->nr_objects == tasks->max_objects) {
		grow_objects(tasks);
		slot = find_name(tasks, name, len);
	}
	tasks->objects[tasks->nr_objects] = (struct spe_object) {
		.name = format_string("%.*s", (int)len, name)
	};
	tasks->nr_objects++;
	*slot = (uint32_t)tasks->nr_objects;
	return &tasks->objects[*slot - 1];
}

/* MMAP2 ends with what is known of the file, MMAP does not. */
static void take_map(struct spe_tasks *tasks, const struct spe_perf_record *record)
{
	bool is_2 = record->header.type == PERF_RECORD_MMAP2;
	uint32_t pid = spe_perf_u32(record, 0);
	struct map map = {
		.time = record->id.time,
		.start = spe_perf_u64(record, 8),
		.offset = spe_perf_u64(record, 24),
	};
	struct spe_object *object;
	const char *name;
	size_t len = spe_perf_text(record, is_2 ? 64 : 32, &name);

	map.end = map.start + spe_perf_u64(record, 16);
	/* Kernel's own maps are known by kallsyms. */
	if (!len || pid == (uint32_t)-1 || map.end <= map.start)
		return;
	object = spe_tasks_object(tasks, name, len);
	map.object = (uint32_t)(object - tasks->objects);
	if (is_2 && record->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		object->build_id_size = record->body[32] < SPE_BUILD_ID_MAX ? record->body[32] :
									      SPE_BUILD_ID_MAX;
		memcpy(object->build_id, record->body + 36, object->build_id_size);
	}
	add_map(tasks, pid, &map);
}

/* The last name by time is kept: buffers of CPUs are emptied in turn. */
static void set_name(struct spe_process *process, const char *name, size_t len, uint64_t time)
{
	if (time < process->named)
		return;
	process->named = time;
	snprintf(process->name, sizeof(process->name), "%.*s", (int)len, name);
}

static void take_fork(struct spe_tasks *tasks, const struct spe_perf_record *record)
{
	uint32_t pid = spe_perf_u32(record, 0), parent = spe_perf_u32(record, 4);
	struct spe_process *from;
	struct map map = { .time = record->id.time, .start = parent, .kind = KIND_FORK };

	/* A thread shares what its process has. */
	if (pid == parent)
		return;
	add_map(tasks, pid, &map);
	from = find_process(tasks, parent);
	if (from)
		set_name(get_process(tasks, pid), from->name, strlen(from->name), map.time);
}

static void take_name(struct spe_tasks *tasks, const struct spe_perf_record *record)
{
	uint32_t pid = spe_perf_u32(record, 0);
	struct map map = { .time = record->id.time, .kind = KIND_EXEC };
	struct spe_process *process = get_process(tasks, pid);
	const char *name;
	size_t len = spe_perf_text(record, 8, &name);

	if (len && pid == spe_perf_u32(record, 4))
		set_name(process, name, len, record->id.time);
	if (record->header.misc & PERF_RECORD_MISC_COMM_EXEC)
		add_map(tasks, pid, &map);
}

static void take_thread(struct spe_tasks *tasks, uint32_t pid, uint32_t tid)
{
	/* A process's first thread has its number. */
	if (pid == tid || pid == (uint32_t)-1 || tasks->nr_threads == THREADS_MAX)
		return;
	if (tasks->nr_threads == tasks->max_threads) {
		tasks->max_threads = tasks->max_threads ? tasks->max_threads * 2 : 64;
		tasks->threads = xreallocarray(tasks->threads, tasks->max_threads,
					       sizeof(*tasks->threads));
	}
	tasks->threads[tasks->nr_threads++] = (struct spe_thread) { tid, pid };
}

void spe_tasks_add(struct spe_tasks *tasks, const struct spe_perf_record *record)
{
	switch (record->header.type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		take_map(tasks, record);
		break;
	case PERF_RECORD_FORK:
		take_fork(tasks, record);
		take_thread(tasks, spe_perf_u32(record, 0), spe_perf_u32(record, 8));
		break;
	case PERF_RECORD_COMM:
		take_name(tasks, record);
		take_thread(tasks, spe_perf_u32(record, 0), spe_perf_u32(record, 4));
		break;
	default:
		break;
	}
}

static int compare_times(const void *a, const void *b)
{
	const struct map *left = a, *right = b;

	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	return (left->order > right->order) - (left->order < right->order);
}

/* What has the same time stays in order. */
static void sort_by_time(struct map *maps, size_t nr)
{
	bool sorted = true;

	for (size_t i = 1; i < nr && sorted; i++)
		sorted = compare_times(&maps[i - 1], &maps[i]) <= 0;
	if (!sorted)
		qsort(maps, nr, sizeof(*maps), compare_times);
}

static int compare_threads(const void *a, const void *b)
{
	const struct spe_thread *left = a, *right = b;

	return (left->tid > right->tid) - (left->tid < right->tid);
}

void spe_tasks_ready(struct spe_tasks *tasks)
{
	for (size_t i = 0; i < tasks->nr_processes; i++)
		sort_by_time(tasks->processes[i].maps, tasks->processes[i].nr_maps);
	if (tasks->nr_threads)
		qsort(tasks->threads, tasks->nr_threads, sizeof(*tasks->threads),
		      compare_threads);
}

uint32_t spe_tasks_pid(const struct spe_tasks *tasks, uint32_t tid)
{
	const struct spe_thread key = { .tid = tid }, *thread;

	thread = tasks->nr_threads ? bsearch(&key, tasks->threads, tasks->nr_threads, sizeof(key),
					     compare_threads) : NULL;
	if (thread)
		return thread->pid;
	return find_process(tasks, tid) ? tid : SPE_PID_UNKNOWN;
}

const char *spe_tasks_name(const struct spe_tasks *tasks, uint32_t pid)
{
	const struct spe_process *process = find_process(tasks, pid);

	return process && *process->name ? process->name : NULL;
}

uint64_t spe_tasks_settled(const struct spe_tasks *tasks, uint32_t pid)
{
	const struct spe_process *process = find_process(tasks, pid);

	return process && process->nr_maps ? process->maps[process->nr_maps - 1].time : 0;
}

bool spe_tasks_find(const struct spe_tasks *tasks, uint32_t pid, uint64_t address, uint64_t time,
		    struct spe_place *place)
{
	for (int depth = 0; depth < INHERITED_MAX; depth++) {
		const struct spe_process *process = find_process(tasks, pid);
		size_t i = process ? process->nr_maps : 0;

		for (; i > 0; i--) {
			const struct map *map = &process->maps[i - 1];

			if (map->time > time)
				continue;
			if (map->kind == KIND_EXEC)
				return false;
			if (map->kind == KIND_FORK)
				break;
			if (address - map->start >= map->end - map->start)
				continue;
			place->object = map->object;
			place->offset = address - map->start + map->offset;
			return true;
		}
		if (!i)
			return false;
		/* As the parent had it when it forked. */
		pid = (uint32_t)process->maps[i - 1].start;
		time = process->maps[i - 1].time;
	}
	return false;
}
