// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * SPE data as perf.data. See tools/perf/Documentation/perf.data-file-format.txt: header,
 * attributes, event ids, data, and features at the end.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "errors.h"
#include "lib/disk.h"
#include "lib/memory.h"
#include "record_session.h"
#include "record_sink.h"

#define PERF_MAGIC	"PERFILE2"
/* tools/lib/perf/include/perf/event.h */
#define RECORD_AUXTRACE_INFO	70
#define RECORD_AUXTRACE		71
#define RECORD_TIME_CONV	79
#define AUXTRACE_ARM_SPE	4
/* tools/perf/util/header.h */
#define FEATURE_HOSTNAME	3
#define FEATURE_OSRELEASE	4
#define FEATURE_ARCH		6
#define FEATURE_CPUID		9
#define FEATURE_TEXT_ALIGN	64

struct section {
	uint64_t offset, size;
};

struct header {
	char magic[8];
	uint64_t size, attr_size;
	struct section attrs, data, event_types;
	uint64_t features[4];
};

struct file_attr {
	uint8_t attr[SPE_ATTR_SIZE];
	struct section ids;
};

struct auxtrace_info {
	struct perf_event_header header;
	uint32_t type, reserved;
	uint64_t pmu_type, per_cpu_mmaps;
};

struct auxtrace {
	struct perf_event_header header;
	uint64_t size, offset, reference;
	uint32_t idx, tid, cpu, reserved;
};

struct time_conv {
	struct perf_event_header header;
	uint64_t shift, mult, zero, cycles, mask;
	uint8_t has_zero, is_short, reserved[6];
};

/* One event for samples, one for the side-band. */
enum { SAMPLES, SIDEBAND, NR_ATTRS };

struct perf_data {
	struct spe_sink sink;	/* the first member */
	struct header header;
};

static struct header *header_of(struct spe_sink *sink)
{
	return &((struct perf_data *)sink)->header;
}

static struct file_attr attr_of(const union spe_attr *from, struct section ids)
{
	struct file_attr attr = { .ids = ids };

	/* Drops config3 of newer headers, which perf does not need. */
	memcpy(attr.attr, from, sizeof(attr.attr));
	((struct perf_event_attr *)attr.attr)->size = sizeof(attr.attr);
	return attr;
}

/* Writes the ids of all events of a kind. Return: their section. */
static struct section put_ids(struct spe_out *out, const struct spe_session *session, bool samples)
{
	struct section section = { .offset = out->bytes };

	for (size_t i = 0; i < session->nr_rings; i++)
		for (size_t j = 0; j < session->rings[i].nr_events; j++)
			if (session->rings[i].events[j].samples == samples)
				spe_out_write(out, &session->rings[i].events[j].id,
					      sizeof(uint64_t));
	section.size = out->bytes - section.offset;
	return section;
}

/* Fields of the samples that perf synthesises from the records. */
static uint64_t memory_fields(const struct spe_session *session)
{
	return PERF_SAMPLE_IP | PERF_SAMPLE_DATA_SRC |
	       (spe_has_term(session->options, "pa_enable") ? PERF_SAMPLE_PHYS_ADDR : 0);
}

static void put_attrs(struct spe_sink *sink, const struct spe_session *session,
		      const struct spe_pmu *pmu)
{
	struct spe_out *out = &sink->out;
	union spe_attr samples = spe_attr_samples(pmu, session->options);
	union spe_attr sideband = spe_attr_sideband();
	struct section ids[NR_ATTRS];
	struct file_attr attrs[NR_ATTRS];

	ids[SAMPLES] = put_ids(out, session, true);
	ids[SIDEBAND] = put_ids(out, session, false);
	samples.attr.sample_type |= memory_fields(session);
	attrs[SAMPLES] = attr_of(&samples, ids[SAMPLES]);
	attrs[SIDEBAND] = attr_of(&sideband, ids[SIDEBAND]);
	header_of(sink)->attrs = (struct section) { out->bytes, sizeof(attrs) };
	spe_out_write(out, attrs, sizeof(attrs));
}

static void put_time_conv(struct spe_out *out, const struct spe_clock *clock)
{
	struct time_conv record = {
		.header = { RECORD_TIME_CONV, 0, sizeof(record) },
		.shift = clock->shift,
		.mult = clock->mult,
		.zero = clock->zero,
		.cycles = clock->cycles,
		.mask = clock->mask,
		.has_zero = 1,
		.is_short = clock->is_short,
	};

	if (clock->is_known)
		spe_out_write(out, &record, sizeof(record));
}

/* The only PMU of the rings; perf.data has room for one. */
static const struct spe_pmu *only_pmu(const struct spe_session *session)
{
	const struct spe_pmu *pmu = NULL;

	for (size_t i = 0; i < session->nr_rings; i++) {
		if (!session->rings[i].pmu)
			continue;
		if (pmu && pmu != session->rings[i].pmu)
			die(ERR_SEVERAL_PMUS, "--perf-data holds one PMU: choose CPUs of %s or of "
			    "%s with -C", pmu->name, session->rings[i].pmu->name);
		pmu = session->rings[i].pmu;
	}
	return pmu;
}

static void put_header(struct spe_sink *sink)
{
	struct header *header = header_of(sink);

	header->data.size = sink->out.bytes - header->data.offset;
	spe_out_overwrite(&sink->out, header, sizeof(*header), 0);
}

static void begin(struct spe_sink *sink, const struct spe_session *session)
{
	const struct spe_pmu *pmu = only_pmu(session);
	struct header *header = header_of(sink);
	struct auxtrace_info info = {
		.header = { RECORD_AUXTRACE_INFO, 0, sizeof(info) },
		.type = AUXTRACE_ARM_SPE,
		.pmu_type = pmu->type,
		.per_cpu_mmaps = 1,
	};

	memcpy(header->magic, PERF_MAGIC, sizeof(header->magic));
	header->size = sizeof(*header);
	header->attr_size = sizeof(struct file_attr);
	spe_out_write(&sink->out, header, sizeof(*header));
	put_attrs(sink, session, pmu);
	header->data.offset = sink->out.bytes;
	/* Before auxtrace_info, at which perf looks for it. */
	put_time_conv(&sink->out, &session->clock);
	spe_out_write(&sink->out, &info, sizeof(info));
	put_header(sink);
}

static void put_records(struct spe_sink *sink, const struct spe_ring *ring, const void *records,
			size_t size)
{
	(void)ring;
	spe_out_write(&sink->out, records, size);
}

static void put_aux(struct spe_sink *sink, const struct spe_aux *aux)
{
	static const char zeros[8];
	size_t size = aux->segment->size, padding = -size & 7;
	struct auxtrace record = {
		.header = { RECORD_AUXTRACE, 0, sizeof(record) },
		.size = size + padding,
		.offset = aux->segment->start,
		.reference = aux->segment->time,
		.idx = aux->ring->number,
		.tid = UINT32_MAX,
		.cpu = aux->ring->cpu,
	};
	struct iovec parts[] = {
		{ &record, sizeof(record) },
		aux->parts[0],
		aux->parts[1],
		{ (void *)zeros, padding },
	};

	if (size)
		spe_out_writev(&sink->out, parts, NR(parts));
}

/* A text feature: its length and the padded text. */
static struct section put_feature(struct spe_out *out, const char *text)
{
	struct section section = { .offset = out->bytes };
	char padded[256 + FEATURE_TEXT_ALIGN] = "";
	uint32_t len = strnlen(text, 255);

	memcpy(padded, text, len);
	len = (len + FEATURE_TEXT_ALIGN) / FEATURE_TEXT_ALIGN * FEATURE_TEXT_ALIGN;
	spe_out_write(out, &len, sizeof(len));
	spe_out_write(out, padded, len);
	section.size = out->bytes - section.offset;
	return section;
}

/* The table of sections follows the data, in the order of the feature bits. */
static void put_features(struct spe_sink *sink, const struct spe_session *session)
{
	static const unsigned int bits[] = {
		FEATURE_HOSTNAME, FEATURE_OSRELEASE, FEATURE_ARCH, FEATURE_CPUID,
	};
	char *path = format_string("/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1",
				   session->rings[0].cpu);
	struct section table[NR(bits)] = { 0 };
	uint64_t at = sink->out.bytes;
	char midr[32] = "";
	struct utsname name;

	uname(&name);
	if (disk_read(path, midr, sizeof(midr) - 1) > 0)
		midr[strcspn(midr, "\n")] = '\0';
	free(path);
	spe_out_write(&sink->out, table, sizeof(table));
	table[0] = put_feature(&sink->out, name.nodename);
	table[1] = put_feature(&sink->out, name.release);
	table[2] = put_feature(&sink->out, name.machine);
	table[3] = put_feature(&sink->out, midr);
	spe_out_overwrite(&sink->out, table, sizeof(table), at);
	for (size_t i = 0; i < NR(bits); i++)
		header_of(sink)->features[0] |= 1ULL << bits[i];
}

static void end(struct spe_sink *sink, const struct spe_session *session)
{
	put_header(sink);
	put_features(sink, session);
	/* CPUs that were offline meanwhile have new ids. */
	put_attrs(sink, session, only_pmu(session));
	spe_out_overwrite(&sink->out, header_of(sink), sizeof(struct header), 0);
	spe_out_close(&sink->out);
}

struct spe_sink *spe_sink_perf_data(const struct spe_session *session)
{
	static const struct spe_sink sink = {
		.begin = begin,
		.records = put_records,
		.aux = put_aux,
		.round = put_header,
		.end = end,
	};

	struct perf_data *data = xcalloc(1, sizeof(*data));

	only_pmu(session);
	data->sink = sink;
	return &data->sink;
}
