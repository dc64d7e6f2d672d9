// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* First pass over a recording: its description, and the places of its data. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
#include "header.h"
#include "lib/machine_kernel.h"
#include "lib/memory.h"
#include "machine.h"
#include "recording.h"

#define CPUS_MAX	65536
#define KERNEL_MAP	"[kernel.kallsyms]"

/* Words of a PERF_RECORD_AUXTRACE_INFO: tools/perf/util/arm-spe.h. Version 1 has one of them. */
enum {
	INFO_TYPE	= 0,	/* 32 bits */
	INFO_PMU_TYPE	= 8,
	INFO_VERSION	= 8,
	INFO_HEADER_SIZE = 16,	/* in words */
	INFO_PMU_TYPE_2	= 24,	/* of the first one */
	INFO_NR_CPUS	= 32,
	INFO_SIZE_1	= 24,
	/* of each CPU */
	CPU_MAGIC	= 0,
	CPU_NUMBER	= 8,
	CPU_NR_WORDS	= 16,	/* that follow */
	CPU_MIDR	= 24,
};

#define INFO_VERSION_2	2

struct spe_cpu *spe_recording_cpu(struct spe_recording *recording, int number)
{
	size_t index = number >= 0 && number < CPUS_MAX ? (size_t)number + 1 : 0;
	size_t nr = recording->nr_cpus;

	if (index < nr)
		return &recording->cpus[index];
	recording->cpus = xreallocarray(recording->cpus, index + 1, sizeof(*recording->cpus));
	for (; nr <= index; nr++)
		recording->cpus[nr] = (struct spe_cpu) { .pid = SPE_PID_UNKNOWN };
	recording->nr_cpus = nr;
	return &recording->cpus[index];
}

/* perf since 6.13: the core of each CPU. */
static void take_info_2(struct spe_recording *recording, const struct spe_perf_record *record)
{
	uint64_t at = INFO_VERSION + 8 * spe_perf_u64(record, INFO_HEADER_SIZE);
	uint64_t nr = spe_perf_u64(record, INFO_NR_CPUS), number, midr;

	for (; nr && at + CPU_MIDR + 8 <= record->body_size; nr--) {
		if (spe_perf_u64(record, at + CPU_MAGIC) != SPE_CPU_MAGIC)
			return;
		number = spe_perf_u64(record, at + CPU_NUMBER);
		midr = spe_perf_u64(record, at + CPU_MIDR);
		if (number < CPUS_MAX)
			spe_recording_cpu(recording, (int)number)->midr = midr;
		at += CPU_MIDR + 8 * (spe_perf_u64(record, at + CPU_NR_WORDS) & 0xff);
	}
}

static void take_info(struct spe_recording *recording, const struct spe_perf_record *record)
{
	const char *name = recording->file.input.name;
	uint64_t version;

	if (spe_perf_u32(record, INFO_TYPE) != SPE_AUXTRACE_TYPE)
		return;
	recording->has_spe = true;
	recording->pmu_type = spe_perf_u64(record, INFO_PMU_TYPE);
	if (record->body_size <= INFO_SIZE_1) {
		if (recording->file.nr_pmus > 1)
			die(ERR_SEVERAL_PMUS, "%s: recorded on several kinds of cores by a perf "
			    "before 6.13, which does not write whose records are whose; record "
			    "one kind, with -C, or with n3stat spe record", name);
		return;
	}
	version = spe_perf_u64(record, INFO_VERSION);
	if (version != INFO_VERSION_2)
		die(ERR_NEWER_RECORDING, "%s: SPE data of version %" PRIu64
		    ", which needs a newer n3stat", name, version);
	recording->pmu_type = spe_perf_u64(record, INFO_PMU_TYPE_2);
	take_info_2(recording, record);
}

static void take_clock(struct spe_recording *recording, const struct spe_perf_record *record)
{
	recording->clock = (struct spe_clock) {
		.shift = spe_perf_u64(record, 0) & 63,
		.mult = (uint32_t)spe_perf_u64(record, 8),
		.zero = spe_perf_u64(record, 16),
		.cycles = spe_perf_u64(record, 24),
		.mask = spe_perf_u64(record, 32),
	};
	recording->clock.is_known = recording->clock.mult;
	/* Two bytes follow since perf 5.10: time_zero, time_short. */
	recording->clock.is_short = spe_perf_u32(record, 40) >> 8 & 0xff;
}

/* A flag of an AUX record and the reason for missing samples. */
static void take_window(struct spe_recording *recording, const struct spe_perf_record *record)
{
	struct spe_cpu *cpu = spe_recording_cpu(recording, record->id.cpu);
	struct spe_limits *limits = &recording->limits;
	uint64_t flags = spe_perf_u64(record, 16);

	if (flags & PERF_AUX_FLAG_OVERWRITE)
		die(ERR_SNAPSHOT_RECORDING, "%s: snapshots of perf record -S: what was lost "
		    "between them is unknown; record without -S", recording->file.input.name);
	limits->truncated += !!(flags & PERF_AUX_FLAG_TRUNCATED);
	limits->partial += !!(flags & PERF_AUX_FLAG_PARTIAL);
	limits->collisions += !!(flags & PERF_AUX_FLAG_COLLISION);
	cpu->losses[SPE_LOST_TRUNCATED] += !!(flags & PERF_AUX_FLAG_TRUNCATED);
	cpu->losses[SPE_LOST_PARTIAL] += !!(flags & PERF_AUX_FLAG_PARTIAL);
	spe_streams_window(&recording->streams, record);
}

/* struct perf_record_auxtrace_error: type, code, cpu, ... */
static void take_error(struct spe_recording *recording, const struct spe_perf_record *record)
{
	uint32_t code = spe_perf_u32(record, 4);
	struct spe_cpu *cpu = spe_recording_cpu(recording, (int)spe_perf_u32(record, 8));

	cpu->losses[code < SPE_NR_LOST ? code : SPE_LOST_OTHER]++;
}

static void take_data(struct spe_recording *recording, const struct spe_perf_record *record)
{
	if (spe_streams_data(&recording->streams, record, recording->file.end))
		recording->file.damaged_at = recording->file.end;
}

/* Build ID of a file or the kernel. */
static void take_build_id(const char *name, const uint8_t *build_id, size_t size, void *context)
{
	struct spe_recording *recording = context;

	if (strncmp(name, KERNEL_MAP, strlen(KERNEL_MAP))) {
		spe_objects_add_build_id(&recording->tasks.objects, name, build_id, size);
		return;
	}
	if (size > sizeof(recording->kernel.build_id))
		return;
	recording->kernel.build_id_size = size;
	memcpy(recording->kernel.build_id, build_id, size);
}

/* The kernel's map is named after the symbol at its file offset: "[kernel.kallsyms]_stext". */
static void take_kernel(struct spe_recording *recording, const struct spe_perf_record *record,
			const char *symbol, size_t len)
{
	free(recording->kernel.symbol);
	recording->kernel.symbol = format_string("%.*s", (int)len, symbol);
	recording->kernel.address = spe_perf_u64(record, 24);
	if (record->header.type == PERF_RECORD_MMAP2 &&
	    record->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		take_build_id(KERNEL_MAP, record->body + 36, record->body[32], recording);
}

/* Code of the kernel or a module. */
static void take_kernel_map(struct spe_recording *recording, const struct spe_perf_record *record)
{
	uint64_t start = spe_perf_u64(record, 8), end = start + spe_perf_u64(record, 16);
	size_t prefix = strlen(KERNEL_MAP), len;
	const char *name;

	len = spe_perf_text(record, record->header.type == PERF_RECORD_MMAP2 ? 64 : 32, &name);
	if (len >= prefix && !strncmp(name, KERNEL_MAP, prefix))
		take_kernel(recording, record, name + prefix, len - prefix);
	/* Marks an unknown end of the kernel. */
	if (end <= start || end == UINT64_MAX)
		return;
	recording->kernel.extents = xreallocarray(recording->kernel.extents,
						  recording->kernel.nr_extents + 1,
						  sizeof(*recording->kernel.extents));
	recording->kernel.extents[recording->kernel.nr_extents++] =
		(struct spe_extent) { start, end };
}

/* The lost ones came after the record before this one. */
static void take_lost(struct spe_recording *recording, const struct spe_perf_record *record)
{
	struct spe_cpu *cpu = spe_recording_cpu(recording, record->id.cpu);

	recording->limits.lost_perf += spe_perf_u64(record, 8);
	cpu->losses[SPE_LOST_PERF]++;
	recording->doubts = xgrow(recording->doubts, recording->nr_doubts, &recording->max_doubts,
				  sizeof(*recording->doubts));
	recording->doubts[recording->nr_doubts++] =
		(struct spe_doubt) { cpu->last_record, record->id.cpu };
}

static int compare_doubts(const void *a, const void *b)
{
	const struct spe_doubt *left = a, *right = b;

	return (left->time > right->time) - (left->time < right->time);
}

static void take_task(struct spe_recording *recording, const struct spe_perf_record *record)
{
	uint32_t type = record->header.type;

	spe_runs_learn(&recording->runs, record);
	if (type == PERF_RECORD_LOST) {
		take_lost(recording, record);
	} else if ((type == PERF_RECORD_MMAP || type == PERF_RECORD_MMAP2) &&
		   spe_perf_u32(record, 0) == UINT32_MAX) {
		take_kernel_map(recording, record);
	} else {
		spe_tasks_learn(&recording->tasks, record);
	}
	if (type < SPE_PERF_FIRST)
		spe_recording_cpu(recording, record->id.cpu)->last_record = record->id.time;
}

static void take_record(struct spe_recording *recording, const struct spe_perf_record *record)
{
	switch (record->header.type) {
	case SPE_PERF_AUXTRACE_INFO:
		take_info(recording, record);
		break;
	case SPE_PERF_AUXTRACE:
		take_data(recording, record);
		break;
	case SPE_PERF_AUXTRACE_ERROR:
		take_error(recording, record);
		break;
	case SPE_PERF_TIME_CONV:
		take_clock(recording, record);
		break;
	case SPE_PERF_COMPRESSED:
	case SPE_PERF_COMPRESSED2:
		spe_file_die_compressed(&recording->file);
	case PERF_RECORD_AUX:
		take_window(recording, record);
		break;
	default:
		take_task(recording, record);
		break;
	}
}

static void read_records(struct spe_recording *recording)
{
	struct spe_file *file = &recording->file;
	struct spe_perf_record record;
	struct spe_records records;

	spe_records_init(&records, file, file->data, file->end);
	while (spe_records_next(&records, &record))
		take_record(recording, &record);
	if (records.at < file->end) {
		file->damaged_at = records.at;
		file->end = records.at;
	}
	spe_records_free(&records);
}

/* The core of all CPUs; perf writes a MIDR_EL1 without variant and revision. */
static void choose_core(struct spe_recording *recording)
{
	const struct spe_file *file = &recording->file;

	recording->midr = file->input.core;
	if (!recording->midr && file->cpuid)
		recording->midr = strtoull(file->cpuid, NULL, 16);
	for (size_t i = 0; file->input.core && i < recording->nr_cpus; i++)
		recording->cpus[i].midr = 0;
}

static void find_attr(struct spe_recording *recording)
{
	const struct spe_file *file = &recording->file;

	for (size_t i = 0; i < file->nr_attrs && !recording->period; i++)
		if (file->attrs[i].type == recording->pmu_type) {
			recording->period = file->attrs[i].period;
			recording->only_user = file->attrs[i].only_user;
		}
}

void spe_recording_open(struct spe_recording *recording, const struct spe_input *input)
{
	*recording = (struct spe_recording) { 0 };
	spe_file_open(&recording->file, input);
	spe_tasks_init(&recording->tasks);
	read_records(recording);
	if (!recording->has_spe)
		die(ERR_NO_SPE_DATA, "%s: no data of SPE; record with -e arm_spe_0// or n3stat spe "
		    "record", input->name);
	recording->kernel.release = recording->file.kernel ? recording->file.kernel : "";
	choose_core(recording);
	find_attr(recording);
	spe_runs_ready(&recording->runs, &recording->file);
	if (recording->nr_doubts)
		qsort(recording->doubts, recording->nr_doubts, sizeof(*recording->doubts),
		      compare_doubts);
	spe_streams_ready(&recording->streams);
	spe_objects_ready(&recording->tasks.objects);
	spe_build_ids_each(&recording->file, take_build_id, recording);
}

void spe_recording_close(struct spe_recording *recording)
{
	spe_runs_free(&recording->runs);
	free(recording->doubts);
	spe_streams_free(&recording->streams);
	spe_tasks_free(&recording->tasks);
	free(recording->kernel.extents);
	free(recording->kernel.symbol);
	free(recording->cpus);
	spe_file_close(&recording->file);
}

uint64_t spe_recording_midr(const struct spe_recording *recording, int cpu)
{
	if (cpu >= 0 && (size_t)cpu + 1 < recording->nr_cpus && recording->cpus[cpu + 1].midr)
		return recording->cpus[cpu + 1].midr;
	return recording->midr;
}

bool spe_recording_is_known(const struct spe_recording *recording)
{
	for (size_t i = 0; i < recording->streams.nr; i++)
		if (!core_is_known(spe_recording_midr(recording, recording->streams.v[i]->cpu)))
			return false;
	return recording->streams.nr;
}

uint64_t spe_recording_period(const struct spe_recording *recording)
{
	uint64_t period = recording->period / SPE_PERIOD_UNIT * SPE_PERIOD_UNIT;

	return period ? period : SPE_PERIOD_UNIT;
}
