// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Processes of a recording, and their mappings over time. */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/memory.h"
#include "sorted.h"
#include "tasks.h"

/* For all processes together: 12 MB. Excess entries are dropped and counted. */
#define ENTRIES_MAX	250000
#define NAME_MAX_COMM	16
#define INHERITED_MAX	64

/* Events in the life of a process. */
enum kind {
	KIND_MAP,
	KIND_FORK,		/* new process, inherits mappings and name */
	KIND_EXEC,		/* new name, mappings dropped */
	KIND_NAME,
	KIND_EXIT,		/* of the first thread: others may continue */
};

struct entry {
	uint64_t time;
	union {
		struct {
			uint64_t start, end, offset;
		};
		uint32_t parent;
		char name[NAME_MAX_COMM];
	};
	uint32_t object;
	uint32_t kind : 3, by_first : 1, order : 28;	/* order: in the file */
};

static_assert(!offsetof(struct entry, time));

struct spe_process {
	uint32_t pid;
	uint32_t first_life, nr_lives;
	struct entry *entries;	/* by time */
	uint32_t nr_entries, max_entries;
	uint64_t until;		/* entries from this time on were dropped */
};

/* Its entries end at the first one of the process's next life. */
struct spe_life {
	uint64_t since;
	uint32_t process, first;
};

static_assert(!offsetof(struct spe_life, since));

void spe_tasks_init(struct spe_tasks *tasks)
{
	*tasks = (struct spe_tasks) { .nr_slots = 1024 };
	tasks->slots = xcalloc(tasks->nr_slots, sizeof(*tasks->slots));
	spe_objects_init(&tasks->objects);
	spe_threads_init(&tasks->threads);
}

void spe_tasks_free(struct spe_tasks *tasks)
{
	for (size_t i = 0; i < tasks->nr_processes; i++)
		free(tasks->processes[i].entries);
	spe_objects_free(&tasks->objects);
	spe_threads_free(&tasks->threads);
	free(tasks->processes);
	free(tasks->extents);
	free(tasks->slots);
	free(tasks->lives);
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
	free(tasks->slots);
	tasks->slots = xcalloc(tasks->nr_slots, sizeof(*tasks->slots));
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
	tasks->processes = xgrow(tasks->processes, tasks->nr_processes, &tasks->max_processes,
				 sizeof(*tasks->processes));
	process = &tasks->processes[tasks->nr_processes++];
	*process = (struct spe_process) { .pid = pid, .until = UINT64_MAX };
	*find_slot(tasks, pid) = (uint32_t)tasks->nr_processes;
	return process;
}

static void add_entry(struct spe_tasks *tasks, uint32_t pid, struct entry entry)
{
	struct spe_process *process = get_process(tasks, pid);

	if (tasks->nr_entries == ENTRIES_MAX) {
		tasks->dropped++;
		if (entry.time < process->until)
			process->until = entry.time;
		return;
	}
	if (process->nr_entries == process->max_entries) {
		process->max_entries = process->max_entries ? process->max_entries * 2 : 8;
		process->entries = xreallocarray(process->entries, process->max_entries,
						 sizeof(*process->entries));
	}
	entry.order = process->nr_entries;
	process->entries[process->nr_entries++] = entry;
	tasks->nr_entries++;
}

static void add_extent(struct spe_tasks *tasks, uint64_t start, uint64_t end)
{
	/* Marks an unknown end of the kernel. */
	if (end == UINT64_MAX)
		return;
	tasks->extents = xreallocarray(tasks->extents, tasks->nr_extents + 1,
				       sizeof(*tasks->extents));
	tasks->extents[tasks->nr_extents++] = (struct spe_extent) { start, end };
}

static void take_map(struct spe_tasks *tasks, const struct spe_perf_record *record)
{
	bool is_2 = record->header.type == PERF_RECORD_MMAP2;
	uint32_t pid = spe_perf_u32(record, 0);
	struct entry map = {
		.time = record->id.time,
		.start = spe_perf_u64(record, 8),
		.offset = spe_perf_u64(record, 24),
		.kind = KIND_MAP,
		.by_first = pid == spe_perf_u32(record, 4),
	};
	const char *name;
	size_t len = spe_perf_text(record, is_2 ? 64 : 32, &name);

	map.end = map.start + spe_perf_u64(record, 16);
	if (!len || map.end <= map.start)
		return;
	if (pid == (uint32_t)-1) {
		add_extent(tasks, map.start, map.end);
		return;
	}
	map.object = spe_objects_get(&tasks->objects, record, name, len);
	add_entry(tasks, pid, map);
}

static void take_fork(struct spe_tasks *tasks, const struct spe_perf_record *record)
{
	uint32_t pid = spe_perf_u32(record, 0), parent = spe_perf_u32(record, 4);
	struct entry fork = { .time = record->id.time, .parent = parent, .kind = KIND_FORK };

	/* A thread shares its process's mappings. */
	if (pid != parent)
		add_entry(tasks, pid, fork);
	spe_threads_add(&tasks->threads, record->id.time, spe_perf_u32(record, 8), pid,
			SPE_THREAD_FORKED);
}

static void take_exit(struct spe_tasks *tasks, const struct spe_perf_record *record)
{
	uint32_t pid = spe_perf_u32(record, 0), tid = spe_perf_u32(record, 8);
	struct entry exit = { .time = record->id.time, .kind = KIND_EXIT };

	if (pid == tid && pid != (uint32_t)-1)
		add_entry(tasks, pid, exit);
	spe_threads_add(&tasks->threads, exit.time, tid, pid, SPE_THREAD_GONE);
}

static void take_name(struct spe_tasks *tasks, const struct spe_perf_record *record)
{
	uint32_t pid = spe_perf_u32(record, 0), tid = spe_perf_u32(record, 4);
	bool is_exec = record->header.misc & PERF_RECORD_MISC_COMM_EXEC;
	struct entry entry = {
		.time = record->id.time, .kind = is_exec ? KIND_EXEC : KIND_NAME, .by_first = 1
	};
	const char *name;
	size_t len = spe_perf_text(record, 8, &name);

	spe_threads_add(&tasks->threads, entry.time, tid, pid, SPE_THREAD_NAMED);
	if (pid == (uint32_t)-1 || (pid != tid && !is_exec))
		return;
	if (len)
		snprintf(entry.name, sizeof(entry.name), "%.*s", (int)len, name);
	add_entry(tasks, pid, entry);
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
		break;
	case PERF_RECORD_EXIT:
		take_exit(tasks, record);
		break;
	case PERF_RECORD_COMM:
		take_name(tasks, record);
		break;
	default:
		break;
	}
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *left = a, *right = b;

	if (left->time != right->time)
		return left->time < right->time ? -1 : 1;
	return (left->order > right->order) - (left->order < right->order);
}

/* Stable: entries of the same time keep their order. */
static void sort_entries(struct spe_process *process)
{
	struct entry *entries = process->entries;
	bool sorted = true;

	for (uint32_t i = 1; i < process->nr_entries && sorted; i++)
		sorted = compare_entries(&entries[i - 1], &entries[i]) <= 0;
	if (!sorted)
		qsort(entries, process->nr_entries, sizeof(*entries), compare_entries);
	while (process->nr_entries && entries[process->nr_entries - 1].time >= process->until)
		process->nr_entries--;
}

static void add_life(struct spe_tasks *tasks, struct spe_process *process, uint64_t since,
		     uint32_t first)
{
	tasks->lives = xgrow(tasks->lives, tasks->nr_lives, &tasks->max_lives,
			     sizeof(*tasks->lives));
	tasks->lives[tasks->nr_lives++] = (struct spe_life) {
		since, (uint32_t)(process - tasks->processes), first
	};
	process->nr_lives++;
}

/*
 * An exec starts another program. Without a fork record, a process starts when its first thread
 * does something after the previous one of that number had ended.
 */
static bool is_start(const struct entry *entry, bool ended)
{
	return entry->kind == KIND_FORK || entry->kind == KIND_EXEC || (ended && entry->by_first);
}

static void find_lives(struct spe_tasks *tasks, struct spe_process *process)
{
	bool ended = false;

	process->first_life = (uint32_t)tasks->nr_lives;
	add_life(tasks, process, 0, 0);
	for (uint32_t i = 0; i < process->nr_entries; i++) {
		const struct entry *entry = &process->entries[i];

		if (is_start(entry, ended))
			add_life(tasks, process, entry->time, i);
		ended = entry->kind == KIND_EXIT ||
			(ended && !entry->by_first && entry->kind != KIND_FORK);
	}
	/* Unknown from here on. */
	if (process->until != UINT64_MAX)
		add_life(tasks, process, process->until, process->nr_entries);
}

void spe_tasks_ready(struct spe_tasks *tasks)
{
	spe_objects_ready(&tasks->objects);
	for (size_t i = 0; i < tasks->nr_processes; i++) {
		sort_entries(&tasks->processes[i]);
		find_lives(tasks, &tasks->processes[i]);
	}
	spe_threads_ready(&tasks->threads);
}

static uint32_t life_at(const struct spe_tasks *tasks, const struct spe_process *process,
			uint64_t time)
{
	const struct spe_life *lives = tasks->lives + process->first_life;

	/* The first one has no start. */
	return process->first_life +
	       (uint32_t)sorted_up_to(lives + 1, process->nr_lives - 1, sizeof(*lives), time);
}

uint32_t spe_tasks_pid(const struct spe_tasks *tasks, uint32_t tid, uint64_t time)
{
	bool is_known;
	uint32_t pid = spe_threads_pid(&tasks->threads, tid, time, &is_known);

	if (!is_known)
		return find_process(tasks, tid) ? tid : SPE_PID_UNKNOWN;
	return pid;
}

uint32_t spe_tasks_life(struct spe_tasks *tasks, uint32_t pid, uint64_t time)
{
	struct spe_process *process;

	if (pid >= SPE_PID_UNKNOWN)
		return SPE_NO_LIFE;
	process = get_process(tasks, pid);
	if (!process->nr_lives)
		find_lives(tasks, process);
	return life_at(tasks, process, time);
}

static const struct spe_process *process_of(const struct spe_tasks *tasks, uint32_t life)
{
	return &tasks->processes[tasks->lives[life].process];
}

/* Return: end index of its entries. */
static uint32_t end_of(const struct spe_tasks *tasks, uint32_t life)
{
	const struct spe_process *process = process_of(tasks, life);
	bool is_last = life + 1 == process->first_life + process->nr_lives;

	return is_last ? process->nr_entries : tasks->lives[life + 1].first;
}

/* Return: the same for entries up to a time. */
static uint32_t end_at(const struct spe_tasks *tasks, uint32_t life, uint64_t time)
{
	uint32_t first = tasks->lives[life].first;
	const struct entry *entries = process_of(tasks, life)->entries + first;

	return first + (uint32_t)sorted_up_to(entries, end_of(tasks, life) - first,
					      sizeof(*entries), time);
}

/* Moves from a life that starts with a fork to the parent's. Return: false without a parent. */
static bool to_parent(const struct spe_tasks *tasks, uint32_t *life, uint64_t *time)
{
	const struct spe_process *process = process_of(tasks, *life);
	uint32_t first = tasks->lives[*life].first;
	const struct entry *fork = process->entries + first;
	const struct spe_process *parent;

	if (first >= process->nr_entries || first == end_of(tasks, *life) ||
	    fork->kind != KIND_FORK)
		return false;
	parent = find_process(tasks, fork->parent);
	if (!parent)
		return false;
	*time = fork->time;
	*life = life_at(tasks, parent, *time);
	return true;
}

static bool has_name(const struct entry *entry)
{
	return (entry->kind == KIND_NAME || entry->kind == KIND_EXEC) && *entry->name;
}

static const char *name_of(const struct spe_tasks *tasks, uint32_t life)
{
	uint64_t time = UINT64_MAX;

	for (int depth = 0; depth < INHERITED_MAX; depth++) {
		const struct entry *entries = process_of(tasks, life)->entries;

		for (uint32_t i = end_at(tasks, life, time); i > tasks->lives[life].first; i--)
			if (has_name(&entries[i - 1]))
				return entries[i - 1].name;
		if (!to_parent(tasks, &life, &time))
			return NULL;
	}
	return NULL;
}

char *spe_life_label(const struct spe_tasks *tasks, uint32_t life)
{
	uint32_t pid = process_of(tasks, life)->pid;
	const char *name = pid ? name_of(tasks, life) : "swapper";

	return format_string("%" PRIu32 "%s%s", pid, name ? " " : "", name ? name : "");
}

uint64_t spe_life_settled(const struct spe_tasks *tasks, uint32_t life)
{
	uint32_t end = end_of(tasks, life);

	if (end == tasks->lives[life].first)
		return tasks->lives[life].since;
	return process_of(tasks, life)->entries[end - 1].time;
}

enum found { FOUND, FOUND_NOTHING, FOUND_NONE_HERE };

/* Finds the latest mapping of an address since the last exec. */
static enum found find_in(const struct spe_tasks *tasks, uint32_t life, uint64_t address,
			  uint64_t time, struct spe_place *place)
{
	const struct entry *entries = process_of(tasks, life)->entries;

	for (uint32_t i = end_at(tasks, life, time); i > tasks->lives[life].first; i--) {
		const struct entry *entry = &entries[i - 1];

		if (entry->kind == KIND_EXEC)
			return FOUND_NOTHING;
		if (entry->kind != KIND_MAP || address - entry->start >= entry->end - entry->start)
			continue;
		place->object = entry->object;
		place->offset = address - entry->start + entry->offset;
		return FOUND;
	}
	return FOUND_NONE_HERE;
}

bool spe_life_find(const struct spe_tasks *tasks, uint32_t life, uint64_t address, uint64_t time,
		   struct spe_place *place)
{
	for (int depth = 0; depth < INHERITED_MAX; depth++) {
		enum found found = find_in(tasks, life, address, time, place);

		if (found != FOUND_NONE_HERE)
			return found == FOUND;
		/* Mappings of the parent at the fork. */
		if (!to_parent(tasks, &life, &time))
			return false;
	}
	return false;
}
