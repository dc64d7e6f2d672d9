// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Process on a CPU at a given time. */
#include <stdlib.h>
#include <string.h>

#include "lib/memory.h"
#include "perf.h"
#include "switches.h"
#include "tasks.h"

/* Maximum delay of a switch in the file after later samples, since buffers are drained in turn. */
#define LATE_NS		5000000000ULL
#define QUEUED_MAX	1000000		/* 16 MB */
#define CPUS_MAX	4096

struct task_switch {
	uint64_t time;
	uint32_t pid;
};

/* Pending switches, starting at first; pid is the current one. */
struct spe_timeline {
	uint32_t pid;
	struct task_switch *queue;
	size_t first, nr, max;
};

void spe_switches_open(struct spe_switches *switches, const struct spe_file *file,
		       uint64_t sample_type)
{
	*switches = (struct spe_switches) { .sample_type = sample_type };
	spe_file_open(&switches->file, &file->input);
	/* Without times, processes are unknown. */
	switches->at_end = !(sample_type & PERF_SAMPLE_TIME);
}

void spe_switches_close(struct spe_switches *switches)
{
	for (size_t i = 0; i < switches->nr_cpus; i++)
		free(switches->cpus[i].queue);
	free(switches->cpus);
	spe_file_close(&switches->file);
}

static struct spe_timeline *get_cpu(struct spe_switches *switches, int cpu)
{
	if (cpu < 0 || cpu >= CPUS_MAX)
		return NULL;
	if ((size_t)cpu >= switches->nr_cpus) {
		switches->cpus = xreallocarray(switches->cpus, cpu + 1, sizeof(*switches->cpus));
		for (size_t i = switches->nr_cpus; i <= (size_t)cpu; i++)
			switches->cpus[i] = (struct spe_timeline) { .pid = SPE_PID_UNKNOWN };
		switches->nr_cpus = cpu + 1;
	}
	return &switches->cpus[cpu];
}

static void make_room(struct spe_switches *switches, struct spe_timeline *timeline)
{
	if (timeline->first >= timeline->max / 2) {
		timeline->nr -= timeline->first;
		if (timeline->nr)
			memmove(timeline->queue, timeline->queue + timeline->first,
				timeline->nr * sizeof(*timeline->queue));
		timeline->first = 0;
	}
	if (timeline->nr < timeline->max)
		return;
	switches->queued += timeline->max ? timeline->max : 64;
	timeline->max = timeline->max ? timeline->max * 2 : 64;
	timeline->queue = xreallocarray(timeline->queue, timeline->max, sizeof(*timeline->queue));
}

/* A switch after the last one is missing: the process since then is unknown. */
static void forget_last(struct spe_timeline *timeline)
{
	if (timeline->first < timeline->nr)
		timeline->queue[timeline->nr - 1].pid = SPE_PID_UNKNOWN;
	else
		timeline->pid = SPE_PID_UNKNOWN;
}

static void queue(struct spe_switches *switches, struct spe_timeline *timeline, uint64_t time,
		  uint32_t pid)
{
	if (timeline->nr == timeline->max) {
		if (switches->queued >= QUEUED_MAX && timeline->first < timeline->max / 2) {
			switches->dropped++;
			forget_last(timeline);
			return;
		}
		make_room(switches, timeline);
	}
	timeline->queue[timeline->nr++] = (struct task_switch) { time, pid };
}

struct reading {
	struct spe_switches *switches;
	int cpu;
};

static void take_record(const struct spe_perf_record *record, void *context)
{
	struct reading *reading = context;
	struct spe_switches *switches = reading->switches;
	const struct spe_perf_id *id = &record->id;
	struct spe_timeline *timeline;
	uint32_t pid = id->pid;

	if (id->time > switches->newest)
		switches->newest = id->time;
	switch (record->header.type) {
	case PERF_RECORD_ITRACE_START:
		pid = spe_perf_u32(record, 0);
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		/* Until the next switch, the task keeps the CPU. */
		if (!(record->header.misc & PERF_RECORD_MISC_SWITCH_OUT))
			break;
		return;
	case PERF_RECORD_LOST:
		break;
	default:
		return;
	}
	timeline = get_cpu(switches, id->cpu >= 0 ? id->cpu : reading->cpu);
	if (!timeline)
		return;
	if (record->header.type == PERF_RECORD_LOST)
		forget_last(timeline);
	else
		queue(switches, timeline, id->time, pid);
}

/* Reads one more chunk of perf records. */
static void read_more(struct spe_switches *switches)
{
	struct reading reading = { .switches = switches };
	struct spe_perf_header header;
	struct spe_chunk chunk;

	while (spe_file_next(&switches->file, &chunk)) {
		if (chunk.type != SPE_CHUNK_PERF ||
		    !spe_file_read_all(&switches->file, &header, sizeof(header)))
			continue;
		reading.cpu = header.cpu;
		spe_perf_each(&switches->file, switches->sample_type, take_record, &reading);
		return;
	}
	switches->at_end = true;
}

uint32_t spe_switches_pid(struct spe_switches *switches, int cpu, uint64_t time)
{
	struct spe_timeline *timeline;

	while (!switches->at_end && switches->newest < time + LATE_NS)
		read_more(switches);
	if (cpu < 0 || (size_t)cpu >= switches->nr_cpus)
		return SPE_PID_UNKNOWN;
	timeline = &switches->cpus[cpu];
	while (timeline->first < timeline->nr && timeline->queue[timeline->first].time <= time)
		timeline->pid = timeline->queue[timeline->first++].pid;
	return timeline->pid;
}
