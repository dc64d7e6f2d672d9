// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Records of perf.data: see tools/lib/perf/include/perf/event.h and
 * tools/perf/Documentation/perf.data-file-format.txt.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/machine.h"
#include "lib/memory.h"
#include "perf.h"
#include "record_out.h"
#include "record_session.h"

#define AUXTRACE_ERROR_ITRACE	1
/* Entries of a record, whose size has 16 bits. */
#define MAX_INDEX		128
/* tools/perf/util/arm-spe.h since Linux 6.13 */
#define SPE_CPU_MAGIC		0x1010101010101010ULL
#define SPE_CPU_WORDS		3

struct file_attr {
	uint8_t attr[SPE_ATTR_SIZE];
	struct spe_section ids;
};

struct auxtrace {
	struct perf_event_header header;
	uint64_t size, offset, reference;
	uint32_t idx, tid, cpu, reserved;
};

struct auxtrace_error {
	struct perf_event_header header;
	uint32_t type, code, cpu, pid, tid, format;
	uint64_t ip, time;
	char text[64];
};

struct time_conv {
	struct perf_event_header header;
	uint64_t shift, mult, zero, cycles, mask;
	uint8_t has_zero, is_short, reserved[6];
};

struct aux {
	struct perf_event_header header;
	uint64_t offset;
};

/* Events of a CPU that was offline meanwhile, and those of all tasks, have one id. */
static uint64_t id_of(const struct spe_ring *ring, bool samples)
{
	return 2 * ring->number + 1 + samples;
}

void spe_put_id(const struct spe_ring *ring, struct perf_event_header *record)
{
	struct spe_trailer *trailer = (void *)((char *)record + record->size - sizeof(*trailer));
	bool samples = record->type == PERF_RECORD_AUX || record->type == PERF_RECORD_ITRACE_START;

	trailer->id = id_of(ring, samples);
	if (record->type == PERF_RECORD_AUX)
		((struct aux *)record)->offset += ring->base;
}

/* Unless no ring has this PMU. */
static void add_event(struct spe_session *session, const struct spe_pmu *pmu)
{
	struct spe_out *out = &session->out;
	struct spe_out_event event = {
		.attr = pmu ? spe_attr_samples(pmu, session->options) : spe_attr_sideband(),
		.pmu = pmu,
		.ids = xreallocarray(NULL, session->nr_rings, sizeof(uint64_t)),
	};

	for (size_t i = 0; i < session->nr_rings; i++)
		if (!pmu || session->rings[i].pmu == pmu)
			event.ids[event.nr_ids++] = id_of(&session->rings[i], pmu);
	if (!event.nr_ids) {
		free(event.ids);
		return;
	}
	/* Without config3, which perf does not need. */
	event.attr.attr.size = SPE_ATTR_SIZE;
	event.name = pmu ? spe_event_name(session, pmu) : xstrdup("dummy:u");
	if (pmu) {
		event.attr.attr.sample_period = session->period;
		/* Fields of the samples that perf synthesises from the records. */
		event.attr.attr.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_DATA_SRC;
		if (spe_has_term(session->options, "pa_enable"))
			event.attr.attr.sample_type |= PERF_SAMPLE_PHYS_ADDR;
	}
	out->events = xreallocarray(out->events, out->nr_events + 1, sizeof(event));
	out->events[out->nr_events++] = event;
}

static void put_attrs(struct spe_out *out)
{
	struct file_attr *attrs = xcalloc(out->nr_events, sizeof(*attrs));
	const struct spe_out_event *event;

	for (size_t i = 0; i < out->nr_events; i++) {
		event = &out->events[i];
		memcpy(attrs[i].attr, &event->attr, sizeof(attrs[i].attr));
		attrs[i].ids.offset = out->bytes;
		attrs[i].ids.size = event->nr_ids * sizeof(*event->ids);
		spe_out_write(out, event->ids, attrs[i].ids.size);
	}
	out->header.attrs.offset = out->bytes;
	out->header.attrs.size = out->nr_events * sizeof(*attrs);
	spe_out_write(out, attrs, out->header.attrs.size);
	free(attrs);
}

/* A record of words. */
static void put_words(struct spe_out *out, uint32_t type, const uint64_t *words, size_t nr)
{
	struct perf_event_header header = { type, 0, sizeof(header) + nr * sizeof(*words) };

	spe_out_write(out, &header, sizeof(header));
	spe_out_write(out, words, nr * sizeof(*words));
}

static void put_time_conv(struct spe_out *out, const struct spe_clock *clock)
{
	struct time_conv record = {
		.header = { SPE_PERF_TIME_CONV, 0, sizeof(record) },
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

/* Number, buffer, CPU and thread of each event. */
static void put_id_index(struct spe_out *out, const struct spe_session *session)
{
	const struct spe_ring *ring = session->rings;
	uint64_t words[1 + 4 * (MAX_INDEX + 1)], nr;

	while (ring < session->rings + session->nr_rings) {
		for (nr = 0; nr < MAX_INDEX && ring < session->rings + session->nr_rings; ring++)
			for (int samples = 0; samples <= !!ring->pmu; samples++) {
				words[1 + 4 * nr] = id_of(ring, samples);
				words[2 + 4 * nr] = ring->number;
				words[3 + 4 * nr] = ring->cpu;
				words[4 + 4 * nr++] = UINT64_MAX;
			}
		words[0] = nr;
		put_words(out, SPE_PERF_ID_INDEX, words, 1 + 4 * nr);
	}
}

/* Version 1 has the type of one PMU only; 2 is read by perf since Linux 6.13. */
static void put_info(struct spe_out *out, const struct spe_session *session)
{
	uint64_t *words = xreallocarray(NULL, 5 + 6 * session->nr_rings, sizeof(*words));
	const struct spe_ring *ring = session->rings;
	size_t nr = 1;

	words[0] = SPE_AUXTRACE_TYPE;
	if (out->nr_events == 2) {
		words[nr++] = out->events[0].pmu->type;
		words[nr++] = 0;
	} else {
		words[nr++] = 2;
		words[nr++] = 4;
		words[nr++] = out->events[0].pmu->type;
		words[nr++] = 0;
		for (; ring < session->rings + session->nr_rings; ring++) {
			if (!ring->pmu)
				continue;
			words[nr++] = SPE_CPU_MAGIC;
			words[nr++] = ring->cpu;
			words[nr++] = SPE_CPU_WORDS;
			words[nr++] = spe_out_midr(ring->cpu);
			words[nr++] = ring->pmu->type;
			words[nr++] = ring->pmu->min_interval;
			words[4]++;
		}
	}
	put_words(out, SPE_PERF_AUXTRACE_INFO, words, nr);
	free(words);
}

static void put_header(struct spe_out *out)
{
	out->header.data.size = out->bytes - out->header.data.offset;
	spe_out_overwrite(out, &out->header, sizeof(out->header), 0);
}

void spe_put_begin(struct spe_session *session)
{
	struct spe_out *out = &session->out;

	for (size_t i = 0; i < session->pmus.nr; i++)
		add_event(session, &session->pmus.v[i]);
	add_event(session, NULL);
	out->header = (struct spe_out_header) {
		.magic = "PERFILE2",
		.size = sizeof(out->header),
		.attr_size = sizeof(struct file_attr),
	};
	spe_out_write(out, &out->header, sizeof(out->header));
	put_attrs(out);
	out->header.data.offset = out->bytes;
	/* Before AUXTRACE_INFO, at which perf looks for it. */
	put_time_conv(out, &session->clock);
	put_id_index(out, session);
	put_info(out, session);
}

void spe_put_init_end(struct spe_out *out)
{
	put_words(out, SPE_PERF_FINISHED_INIT, NULL, 0);
	put_header(out);
}

void spe_put_round(struct spe_session *session)
{
	struct spe_build_ids *ids = &session->build_ids;
	struct spe_out *out = &session->out;

	spe_out_write(out, ids->repeated, ids->nr_repeated);
	ids->nr_repeated = 0;
	if (out->bytes == out->header.data.offset + out->header.data.size)
		return;
	put_words(out, SPE_PERF_FINISHED_ROUND, NULL, 0);
	put_header(out);
}

void spe_put_aux(struct spe_out *out, const struct spe_ring *ring, size_t size)
{
	static const char zeros[8];
	size_t at = ring->tail & (ring->aux_size - 1), padding = -size & 7;
	size_t first = size < ring->aux_size - at ? size : ring->aux_size - at;
	struct auxtrace record = {
		.header = { SPE_PERF_AUXTRACE, 0, sizeof(record) },
		.size = size + padding,
		.offset = ring->base + ring->tail,
		.idx = ring->number,
		.tid = UINT32_MAX,
		.cpu = ring->cpu,
	};
	struct iovec parts[] = {
		{ &record, sizeof(record) },
		{ ring->aux + at, first },
		{ ring->aux, size - first },
		{ (void *)zeros, padding },
	};

	out->index = xgrow(out->index, out->nr_index, &out->max_index, sizeof(*out->index));
	out->index[out->nr_index++] = (struct spe_section) { out->bytes, sizeof(record) };
	spe_out_writev(out, parts, NR(parts));
}

void spe_put_lost(struct spe_out *out, const struct spe_ring *ring, enum spe_lost_reason reason,
		  uint64_t time)
{
	struct auxtrace_error record = {
		.header = { SPE_PERF_AUXTRACE_ERROR, 0, sizeof(record) },
		.type = AUXTRACE_ERROR_ITRACE,
		.code = reason,
		.cpu = ring->cpu,
		.pid = UINT32_MAX,
		.tid = UINT32_MAX,
		.format = 1,	/* with the time */
		.time = time,
	};

	strncpy(record.text, spe_lost_text(reason), sizeof(record.text) - 1);
	spe_out_write(out, &record, sizeof(record));
}
