// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A recording of SPE: its description and its samples. */
#include <ctype.h>
#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cost.h"
#include "errors.h"
#include "lib/keys.h"
#include "lib/machine_kernel.h"
#include "lib/memory.h"
#include "recording.h"

/* Fields of PMSIDR_EL1. */
#define PMSIDR_COUNT_SIZE(v)	((v) >> 16 & 0xf)
#define COUNT_SIZE_16		3
#define RECORD_SIZE		64

#define STREAMS_MAX	65536
#define PIECE		(256u << 10)

struct spe_recording_stream {
	struct spe_stream stream;
	uint64_t next;		/* expected offset of the next window */
	bool gap;		/* data is missing before it */
};

char *spe_recording_info(const struct spe_recording *recording, const char *key)
{
	return recording->info ? value_of_key(recording->info, key) : NULL;
}

static uint64_t info_number(const struct spe_recording *recording, const char *key)
{
	char *value = spe_recording_info(recording, key);
	uint64_t number = value ? strtoull(value, NULL, 0) : 0;

	free(value);
	return number;
}

static void take_info(struct spe_recording *recording)
{
	if (recording->info)
		return;
	recording->info = spe_file_read_text(&recording->file);
	recording->period = info_number(recording, "period");
	recording->sample_type = info_number(recording, "sample_type");
	recording->clock = (struct spe_clock) {
		.zero = info_number(recording, "clock_zero"),
		.cycles = info_number(recording, "clock_cycles"),
		.mask = info_number(recording, "clock_mask"),
		.mult = info_number(recording, "clock_mult"),
		.shift = info_number(recording, "clock_shift") & 63,
	};
	recording->clock.is_known = recording->clock.mult;
	recording->clock.is_short = recording->clock.mask;
	recording->counter_bits = info_number(recording, "counter_bits");
}

static void take_cpus(struct spe_recording *recording)
{
	char *text = spe_file_read_text(&recording->file), *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		struct spe_cpu cpu = { 0 };

		if (sscanf(line, "cpu %d midr %" SCNx64 " pmsidr %" SCNx64, &cpu.cpu, &cpu.midr,
			   &cpu.pmsidr) < 1)
			continue;
		recording->cpus = xreallocarray(recording->cpus, recording->nr_cpus + 1,
						sizeof(*recording->cpus));
		recording->cpus[recording->nr_cpus++] = cpu;
	}
	free(text);
}

static size_t parse_hex(const char *text, uint8_t *bytes, size_t max)
{
	size_t nr = 0;
	unsigned int byte;

	/* Both digits must be present, to stay within the text. */
	while (nr < max && isxdigit((unsigned char)text[2 * nr]) &&
	       isxdigit((unsigned char)text[2 * nr + 1]) &&
	       sscanf(text + 2 * nr, "%2x", &byte) == 1)
		bytes[nr++] = (uint8_t)byte;
	return nr;
}

static void take_build_ids(struct spe_recording *recording)
{
	char *text = spe_file_read_text(&recording->file), *rest = text, *name;

	while ((name = strsep(&rest, "\n"))) {
		char *hex = strsep(&name, " ");
		uint8_t build_id[SPE_BUILD_ID_MAX];

		if (name)
			spe_objects_add_build_id(&recording->tasks.objects, name, build_id,
						 parse_hex(hex, build_id, sizeof(build_id)));
	}
	free(text);
}

static void take_task_record(const struct spe_perf_record *record, void *context)
{
	spe_tasks_add(context, record);
}

static void take_perf(struct spe_recording *recording)
{
	struct spe_perf_header header;

	if (!spe_file_read_all(&recording->file, &header, sizeof(header)) ||
	    !spe_perf_each(&recording->file, recording->sample_type, take_task_record,
			   &recording->tasks))
		recording->limits.bad_perf++;
}

/* First pass over the file: everything but samples. */
static void take_chunk(struct spe_recording *recording, const struct spe_chunk *chunk)
{
	switch (chunk->type) {
	case SPE_CHUNK_INFO:
		take_info(recording);
		break;
	case SPE_CHUNK_CPUS:
		take_cpus(recording);
		break;
	case SPE_CHUNK_PERF:
		take_perf(recording);
		break;
	case SPE_CHUNK_BUILD_IDS:
		take_build_ids(recording);
		break;
	case SPE_CHUNK_KALLSYMS:
		free(recording->kallsyms);
		recording->kallsyms = spe_file_read_text(&recording->file);
		break;
	case SPE_CHUNK_END:
		recording->has_end = true;
		break;
	default:
		break;
	}
}

void spe_recording_open(struct spe_recording *recording, const struct spe_input *input)
{
	struct spe_chunk chunk;

	*recording = (struct spe_recording) { 0 };
	spe_file_open(&recording->file, input);
	if (recording->file.is_bare)
		die(ERR_NOT_A_RECORDING,
		    "%s: not a recording; n3stat spe record makes recordings", input->name);
	spe_tasks_init(&recording->tasks);
	while (spe_file_next(&recording->file, &chunk))
		take_chunk(recording, &chunk);
	if (!recording->info && !input->salvage)
		die(ERR_DAMAGED_RECORDING, "%s: damaged at its start: try --salvage",
		    input->name);
	spe_tasks_ready(&recording->tasks);
	spe_switches_open(&recording->switches, &recording->file, recording->sample_type);
}

static void free_streams(struct spe_recording *recording)
{
	for (size_t i = 0; i < recording->nr_streams; i++)
		free(recording->streams[i]);
	free(recording->streams);
	recording->streams = NULL;
	recording->nr_streams = 0;
}

void spe_recording_close(struct spe_recording *recording)
{
	spe_switches_close(&recording->switches);
	spe_tasks_free(&recording->tasks);
	free_streams(recording);
	free(recording->kallsyms);
	free(recording->cpus);
	free(recording->info);
	spe_file_close(&recording->file);
}

static struct spe_recording_stream *get_stream(struct spe_recording *recording, uint32_t number)
{
	if (number >= STREAMS_MAX)
		return NULL;
	if (number >= recording->nr_streams) {
		recording->streams = xreallocarray(recording->streams, number + 1,
						   sizeof(*recording->streams));
		for (size_t i = recording->nr_streams; i <= number; i++)
			recording->streams[i] = NULL;
		recording->nr_streams = number + 1;
	}
	return recording->streams[number];
}

/* Neoverse N1, N2 and N3 fill a cache line with each record. */
static bool has_fixed_records(uint64_t midr)
{
	static const uint32_t models[] = { 0x4100d0c0, 0x4100d490, 0x4100d8e0 };

	for (size_t i = 0; i < NR(models); i++)
		if (MIDR_MODEL(midr) == models[i])
			return true;
	return false;
}

/* The stream of this window; handles a gap before it. */
static struct spe_recording_stream *enter_window(struct spe_recording *recording,
						 const struct spe_aux_header *header)
{
	struct spe_recording_stream *stream = get_stream(recording, header->stream);

	if (!stream) {
		stream = xcalloc(1, sizeof(*stream));
		spe_stream_init(&stream->stream, header->offset);
		if (has_fixed_records(spe_recording_midr(recording, header->cpu)))
			spe_stream_fixed(&stream->stream, RECORD_SIZE);
		recording->streams[header->stream] = stream;
		return stream;
	}
	if (header->offset != stream->next) {
		recording->limits.gaps++;
		if (header->offset > stream->next)
			recording->limits.gap_bytes += header->offset - stream->next;
		stream->gap = true;
	}
	if (stream->gap)
		spe_stream_gap(&stream->stream, header->offset);
	stream->gap = false;
	return stream;
}

struct feeding {
	struct spe_recording *recording;
	struct spe_aux_header header;
	spe_sample_fn fn;
	void *context;
};

/*
 * The thread is taken from the record's context if recorded, else from the window, where 0 means
 * unknown to perf, else from task switches.
 */
static uint32_t pid_of(struct feeding *feeding, const struct spe_record *record, uint64_t time)
{
	struct spe_recording *recording = feeding->recording;
	uint32_t tid = record->context[record->has & SPE_HAS_CONTEXT2 ? 1 : 0];
	uint32_t pid = SPE_PID_UNKNOWN;

	if (tid)
		pid = spe_tasks_pid(&recording->tasks, tid, time ? time : SPE_NO_TIME);
	if (pid == SPE_PID_UNKNOWN && feeding->header.pid > 0)
		pid = (uint32_t)feeding->header.pid;
	else if (pid == SPE_PID_UNKNOWN)
		pid = spe_switches_pid(&recording->switches, feeding->header.cpu, time);
	/* Larger values are not processes: perf uses -1 for an exited task. */
	return pid < SPE_PID_UNKNOWN ? pid : SPE_PID_UNKNOWN;
}

static int take_record(const struct spe_record *record, void *context)
{
	struct feeding *feeding = context;
	struct spe_sample sample = {
		.record = record, .cpu = feeding->header.cpu, .time = feeding->header.time
	};

	if (record->has & SPE_HAS_TIME && feeding->recording->clock.is_known)
		sample.time = spe_clock_time(&feeding->recording->clock, record->time);
	sample.pid = pid_of(feeding, record, sample.time);
	sample.life = spe_tasks_life(&feeding->recording->tasks, sample.pid,
				     sample.time ? sample.time : SPE_NO_TIME);
	feeding->fn(&sample, feeding->context);
	return 0;
}

static void count_flags(struct spe_limits *limits, uint64_t flags)
{
	limits->truncated += !!(flags & PERF_AUX_FLAG_TRUNCATED);
	limits->partial += !!(flags & PERF_AUX_FLAG_PARTIAL);
	limits->collisions += !!(flags & PERF_AUX_FLAG_COLLISION);
}

static bool read_header(struct spe_file *file, struct spe_aux_header *header)
{
	if (!spe_file_read_all(file, header, sizeof(*header)))
		return false;
	header->stream = le32toh(header->stream);
	header->cpu = (int32_t)le32toh((uint32_t)header->cpu);
	header->pid = (int32_t)le32toh((uint32_t)header->pid);
	header->flags = le64toh(header->flags);
	header->offset = le64toh(header->offset);
	header->time = le64toh(header->time);
	return header->stream < STREAMS_MAX;
}

static void feed_window(struct feeding *feeding)
{
	uint8_t piece[PIECE];
	struct spe_recording *recording = feeding->recording;
	struct spe_recording_stream *stream;
	const struct spe_aux_header *header = &feeding->header;
	size_t len;

	if (!read_header(&recording->file, &feeding->header)) {
		recording->limits.bad_headers++;
		return;
	}
	stream = enter_window(recording, header);
	stream->next = header->offset;
	while ((len = spe_file_read(&recording->file, piece, sizeof(piece)))) {
		spe_stream_feed(&stream->stream, piece, len, take_record, feeding);
		stream->next += len;
		recording->aux_bytes += len;
	}
	count_flags(&recording->limits, header->flags);
	if (header->flags & PERF_AUX_FLAG_TRUNCATED)
		stream->gap = true;
}

static void take_lost(struct spe_recording *recording)
{
	struct spe_lost lost;
	uint32_t reason;

	if (!spe_file_read_all(&recording->file, &lost, sizeof(lost)))
		return;
	reason = le32toh(lost.reason);
	recording->limits.lost[reason < SPE_NR_LOST ? reason : 0]++;
	if (reason == SPE_LOST_PERF) {
		/* Not samples: a missing window is detected from its offset. */
		recording->limits.lost_perf += le64toh(lost.count);
		return;
	}
	if (le32toh(lost.stream) < recording->nr_streams &&
	    recording->streams[le32toh(lost.stream)])
		recording->streams[le32toh(lost.stream)]->gap = true;
}

static void end_streams(struct spe_recording *recording)
{
	for (size_t i = 0; i < recording->nr_streams; i++) {
		struct spe_recording_stream *stream = recording->streams[i];

		if (!stream)
			continue;
		spe_stream_end(&stream->stream);
		recording->limits.damaged += stream->stream.damaged;
		recording->limits.bad_bytes += stream->stream.bad_bytes;
		recording->limits.unknown += stream->stream.unknown;
	}
}

void spe_recording_samples(struct spe_recording *recording, spe_sample_fn fn, void *context)
{
	struct feeding feeding = { .recording = recording, .fn = fn, .context = context };
	struct spe_chunk chunk;

	spe_file_rewind(&recording->file);
	while (spe_file_next(&recording->file, &chunk)) {
		if (chunk.type == SPE_CHUNK_AUX)
			feed_window(&feeding);
		else if (chunk.type == SPE_CHUNK_LOST)
			take_lost(recording);
	}
	end_streams(recording);
}

void spe_recording_again(struct spe_recording *recording)
{
	struct spe_limits *limits = &recording->limits;

	*limits = (struct spe_limits) { .bad_perf = limits->bad_perf };
	recording->aux_bytes = 0;
	free_streams(recording);
	spe_switches_close(&recording->switches);
	spe_switches_open(&recording->switches, &recording->file, recording->sample_type);
}

/* Return: the CPU's ID registers, NULL if unknown. */
static const struct spe_cpu *find_cpu(const struct spe_recording *recording, int cpu)
{
	for (size_t i = 0; i < recording->nr_cpus; i++)
		if (recording->cpus[i].cpu == cpu)
			return &recording->cpus[i];
	/* A task's stream may be from any CPU: they are all alike. */
	return cpu < 0 && recording->nr_cpus ? recording->cpus : NULL;
}

uint64_t spe_recording_midr(const struct spe_recording *recording, int cpu)
{
	const struct spe_cpu *known = find_cpu(recording, cpu);

	for (size_t i = 1; cpu < 0 && i < recording->nr_cpus; i++)
		if (MIDR_MODEL(recording->cpus[i].midr) !=
		    MIDR_MODEL(recording->cpus[0].midr))
			return 0;
	return known ? known->midr : 0;
}

bool spe_recording_is_known(const struct spe_recording *recording)
{
	for (size_t i = 0; i < recording->nr_cpus; i++)
		if (!core_is_known(recording->cpus[i].midr))
			return false;
	return recording->nr_cpus;
}

unsigned int spe_recording_bits(const struct spe_recording *recording, int cpu)
{
	const struct spe_cpu *known = find_cpu(recording, cpu);

	if (recording->counter_bits)
		return recording->counter_bits == 16 ? 16 : 12;
	return known && PMSIDR_COUNT_SIZE(known->pmsidr) == COUNT_SIZE_16 ? 16 : 12;
}

uint64_t spe_recording_period(const struct spe_recording *recording)
{
	uint64_t period = recording->period / SPE_PERIOD_UNIT * SPE_PERIOD_UNIT;

	return period ? period : SPE_PERIOD_UNIT;
}
