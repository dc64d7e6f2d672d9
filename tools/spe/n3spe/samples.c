// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Samples of a recording in the order of time. */
#include <stdlib.h>

#include "lib/machine_kernel.h"
#include "lib/memory.h"
#include "samples.h"

#define RECORD_SIZE	64
/* Silence of a CPU that runs tasks: switches to tasks, and a multiple of earlier times. */
#define SILENT_SWITCHES	16
#define SILENT_TIMES	4
/* Time after a full buffer, ns: the last one of a recording is often full. */
#define SILENT_AFTER	10000000

struct merging {
	struct spe_recording *recording;
	struct spe_heap heap;		/* of AUX buffers, by number */
	struct spe_sample *next;	/* of each of them */
	size_t doubt;			/* the next one */
	spe_sample_fn fn;
	void *context;
};

/* Prepares the next record of an AUX buffer. Return: false if there is none. */
static bool load(struct merging *merging, size_t number)
{
	struct spe_recording *recording = merging->recording;
	struct spe_aux *aux = recording->streams.v[number];
	struct spe_sample *sample = &merging->next[number];
	uint64_t time;

	sample->record = spe_aux_next(aux, &recording->file, &time);
	if (!sample->record)
		return false;
	sample->is_timed = sample->record->has & SPE_HAS_TIME && recording->clock.is_known;
	if (sample->is_timed)
		time = spe_clock_time(&recording->clock, sample->record->time);
	sample->time = time;
	sample->cpu = aux->cpu;
	return true;
}

/* Time between two samples of a CPU on which tasks were switched, and the silence at its end. */
static uint64_t silence_of(const struct spe_cpu *cpu)
{
	uint64_t since = cpu->last_sample;

	return cpu->switches && cpu->last_switch > since ? cpu->last_switch - since : 0;
}

static void note_sample(struct spe_cpu *cpu, uint64_t time)
{
	uint64_t silence = cpu->has_samples ? silence_of(cpu) : 0;

	if (silence > cpu->longest)
		cpu->longest = silence;
	cpu->has_samples = true;
	cpu->last_sample = time;
	cpu->switches = 0;
}

static void note_switch(const struct spe_recording *recording, struct spe_cpu *cpu,
			const struct spe_perf_record *record, uint32_t pid)
{
	cpu->pid = pid;
	if (record->header.type != PERF_RECORD_SWITCH_CPU_WIDE || !pid)
		return;
	/* Of these no samples are expected. */
	if (recording->only_user && !spe_tasks_has_maps(&recording->tasks, pid))
		return;
	cpu->last_switch = record->id.time;
	cpu->switches++;
}

/* Lost records before this time: a switch may be among them. */
static void apply_doubts(struct merging *merging, uint64_t time)
{
	struct spe_recording *recording = merging->recording;
	const struct spe_doubt *doubt = &recording->doubts[merging->doubt];

	for (; merging->doubt < recording->nr_doubts && doubt->time < time; doubt++) {
		spe_recording_cpu(recording, doubt->cpu)->pid = SPE_PID_UNKNOWN;
		merging->doubt++;
	}
}

/* Applies all records about tasks up to a time. */
static void apply_records(struct merging *merging, uint64_t time)
{
	struct spe_recording *recording = merging->recording;
	struct spe_perf_record record;

	while (spe_runs_next(&recording->runs, time, &record)) {
		struct spe_cpu *cpu = spe_recording_cpu(recording, record.id.cpu);

		apply_doubts(merging, record.id.time);
		switch (record.header.type) {
		case PERF_RECORD_ITRACE_START:
			note_switch(recording, cpu, &record, spe_perf_u32(&record, 0));
			break;
		case PERF_RECORD_SWITCH:
		case PERF_RECORD_SWITCH_CPU_WIDE:
			/* Until the next switch, the task keeps the CPU. */
			if (!(record.header.misc & PERF_RECORD_MISC_SWITCH_OUT))
				note_switch(recording, cpu, &record, record.id.pid);
			break;
		case PERF_RECORD_LOST:
			break;
		case PERF_RECORD_EXIT:
			/* Without times, all records come before all samples. */
			if (record.id.time)
				spe_tasks_add(&recording->tasks, &record);
			break;
		default:
			spe_tasks_add(&recording->tasks, &record);
			break;
		}
	}
	/* Those of this time come after its records. */
	apply_doubts(merging, time == UINT64_MAX ? time : time + 1);
}

/*
 * The thread is taken from the record's context if recorded, else from the AUX buffer if it is one
 * of a thread, else from task switches.
 */
static uint32_t pid_of(struct spe_recording *recording, const struct spe_sample *sample,
		       const struct spe_aux *aux)
{
	const struct spe_record *record = sample->record;
	uint32_t tid = record->context[record->has & SPE_HAS_CONTEXT2 ? 1 : 0];
	uint32_t pid = SPE_PID_UNKNOWN;

	if (tid)
		pid = spe_tasks_pid(&recording->tasks, tid);
	if (pid == SPE_PID_UNKNOWN && aux->cpu < 0) {
		pid = spe_tasks_pid(&recording->tasks, aux->tid);
		if (pid == SPE_PID_UNKNOWN)
			pid = aux->tid;
	} else if (pid == SPE_PID_UNKNOWN) {
		pid = spe_recording_cpu(recording, aux->cpu)->pid;
		recording->limits.untimed += !sample->is_timed;
	}
	/* Larger values are not processes: perf uses -1 for an exited task. */
	return pid < SPE_PID_UNKNOWN ? pid : SPE_PID_UNKNOWN;
}

static void put_sample(struct merging *merging, size_t number)
{
	struct spe_recording *recording = merging->recording;
	struct spe_sample *sample = &merging->next[number];
	const struct spe_aux *aux = recording->streams.v[number];

	sample->pid = pid_of(recording, sample, aux);
	sample->life = spe_tasks_life(&recording->tasks, sample->pid);
	note_sample(spe_recording_cpu(recording, sample->cpu), sample->time);
	merging->fn(sample, merging->context);
}

static void start_streams(struct merging *merging)
{
	struct spe_recording *recording = merging->recording;

	for (size_t i = 0; i < recording->streams.nr; i++) {
		struct spe_aux *aux = recording->streams.v[i];

		/* Arm's cores fill a cache line with each record. */
		spe_aux_rewind(aux, core_is_known(spe_recording_midr(recording, aux->cpu)) ?
				    RECORD_SIZE : 0);
		if (load(merging, i))
			spe_heap_push(&merging->heap,
				      (struct spe_due) { merging->next[i].time, i });
	}
}

/*
 * A CPU whose samples end although it goes on to switch to tasks. Linux before 7 does not restart
 * SPE after a full buffer.
 */
static bool is_silent(const struct spe_cpu *cpu, const struct spe_aux *aux)
{
	uint64_t silence = silence_of(cpu);

	if (!cpu->has_samples || !cpu->last_sample || !silence)
		return false;
	if (spe_aux_ends_lossy(aux) && silence >= SILENT_AFTER)
		return true;
	return cpu->switches >= SILENT_SWITCHES && silence / SILENT_TIMES > cpu->longest;
}

static void end_streams(struct spe_recording *recording)
{
	struct spe_limits *limits = &recording->limits;

	for (size_t i = 0; i < recording->streams.nr; i++) {
		const struct spe_aux *aux = recording->streams.v[i];
		struct spe_cpu *cpu = spe_recording_cpu(recording, aux->cpu);

		limits->damaged += aux->stream.damaged;
		limits->bad_bytes += aux->stream.bad_bytes;
		limits->unknown += aux->stream.unknown;
		limits->gaps += aux->gaps;
		limits->gap_bytes += aux->gap_bytes;
		cpu->losses[SPE_LOST_BYTES] += aux->gaps;
		cpu->lost_bytes += aux->gap_bytes;
		cpu->losses[SPE_LOST_SILENT] = aux->cpu >= 0 && is_silent(cpu, aux);
	}
}

static void rewind_cpus(struct spe_recording *recording)
{
	for (size_t i = 0; i < recording->nr_cpus; i++) {
		struct spe_cpu *cpu = &recording->cpus[i];

		cpu->losses[SPE_LOST_BYTES] = 0;
		cpu->lost_bytes = 0;
		cpu->pid = SPE_PID_UNKNOWN;
		cpu->last_sample = 0;
		cpu->longest = 0;
		cpu->switches = 0;
		cpu->has_samples = false;
	}
}

void spe_recording_samples(struct spe_recording *recording, spe_sample_fn fn, void *context)
{
	struct merging merging = { .recording = recording, .fn = fn, .context = context };
	struct spe_limits *limits = &recording->limits;

	limits->damaged = 0;
	limits->bad_bytes = 0;
	limits->unknown = 0;
	limits->gaps = 0;
	limits->gap_bytes = 0;
	limits->untimed = 0;
	spe_tasks_rewind(&recording->tasks);
	spe_runs_rewind(&recording->runs);
	rewind_cpus(recording);
	merging.next = xcalloc(recording->streams.nr, sizeof(*merging.next));
	start_streams(&merging);
	while (merging.heap.nr) {
		size_t number = merging.heap.v->number;

		apply_records(&merging, merging.heap.v->time);
		put_sample(&merging, number);
		if (load(&merging, number))
			spe_heap_move(&merging.heap, merging.next[number].time);
		else
			spe_heap_pop(&merging.heap);
	}
	/* The names that tasks have at the end. */
	apply_records(&merging, UINT64_MAX);
	end_streams(recording);
	spe_heap_free(&merging.heap);
	free(merging.next);
}
