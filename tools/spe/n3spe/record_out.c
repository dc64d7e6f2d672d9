// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Output file of "n3stat spe record", a perf.data: see tools/lib/perf/include/perf/event.h and
 * tools/perf/Documentation/perf.data-file-format.txt.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/errors.h"
#include "lib/files.h"
#include "lib/machine.h"
#include "lib/memory.h"
#include "lib/program.h"
#include "record_session.h"

#define AUXTRACE_ERROR_ITRACE	1
/* Entries of a record, whose size has 16 bits. */
#define MAX_INDEX		128
#define SPE_CPU_WORDS		3
#define TEXT_ALIGN		64
#define NR_SECTIONS		10

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

static void __noreturn cannot_write(const struct spe_out *out)
{
	die(ERR_CANNOT_WRITE, "cannot write %s: %s; it is readable up to there", out->name,
	    strerror(errno));
}

/* As perf does. Symbols of another recording must not remain in any case. */
static void keep_old(const char *name)
{
	char *old = format_string("%s.old", name), *symbols = format_string("%s.kallsyms", name);
	char *old_symbols = format_string("%s.kallsyms", old);
	struct stat st;

	if (!stat(name, &st) && S_ISREG(st.st_mode) && st.st_size) {
		if (rename(name, old))
			die_of_file(ERR_CANNOT_WRITE, old);
		unlink(old_symbols);
		rename(symbols, old_symbols);
	}
	unlink(symbols);
	free(old);
	free(symbols);
	free(old_symbols);
}

void spe_out_open(struct spe_out *out, const char *name)
{
	keep_old(name);
	*out = (struct spe_out) { .file = create_private(name), .name = name };
	if (ftello(out->file) < 0)
		die(ERR_CANNOT_WRITE, SPE_NO_PIPE, name);
}

void spe_out_write(struct spe_out *out, const void *bytes, size_t size)
{
	if (size && fwrite(bytes, size, 1, out->file) != 1)
		cannot_write(out);
	out->bytes += size;
}

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
}

/* As perf's -e takes it. */
static char *event_name(const struct spe_session *session, const struct spe_pmu *pmu)
{
	const struct spe_record_options *options = session->options;
	const struct spe_term *term = options->terms;
	char *name = format_string("%s/period=%" PRIu64, pmu->name, session->period);

	for (; term < options->terms + options->nr_terms; term++)
		append_text(&name, ",", term->value > 9 ? "%s=%#" PRIx64 : "%s=%" PRIu64,
			    term->name, term->value);
	append_text(&name, "/", "%s",
		    options->only_user ? "u" : options->only_kernel ? "k" : "");
	return name;
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
	event.name = pmu ? event_name(session, pmu) : xstrdup("dummy:u");
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
			for (int samples = 0; samples < (ring->pmu ? 2 : 1); samples++) {
				words[1 + 4 * nr] = id_of(ring, samples);
				words[2 + 4 * nr] = ring->number;
				words[3 + 4 * nr] = ring->cpu;
				words[4 + 4 * nr++] = UINT64_MAX;
			}
		words[0] = nr;
		put_words(out, SPE_PERF_ID_INDEX, words, 1 + 4 * nr);
	}
}

/* Return: sysfs' MIDR_EL1, 0 if unknown. */
static uint64_t midr_of(unsigned int cpu)
{
	char *path = format_string("/sys/devices/system/cpu/cpu%u/regs/identification/midr_el1",
				   cpu);
	char text[32];

	machine_read(&this_machine, path, text, sizeof(text));
	free(path);
	return strtoull(text, NULL, 16);
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
			words[nr++] = midr_of(ring->cpu);
			words[nr++] = ring->pmu->type;
			words[nr++] = ring->pmu->min_interval;
			words[4]++;
		}
	}
	put_words(out, SPE_PERF_AUXTRACE_INFO, words, nr);
	free(words);
}

/* After all that it refers to: a killed recorder leaves a readable file. */
static void overwrite(struct spe_out *out, const void *bytes, size_t size, uint64_t offset)
{
	if (fflush(out->file) ||
	    pwrite(fileno(out->file), bytes, size, offset) != (ssize_t)size)
		cannot_write(out);
}

void spe_put_begin(struct spe_session *session)
{
	struct spe_out *out = &session->out;

	for (size_t i = 0; i < session->pmus.nr; i++)
		add_event(session, &session->pmus.v[i]);
	add_event(session, NULL);
	out->header = (struct spe_file_header) {
		.magic = SPE_FILE_MAGIC,
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

void spe_put_mark(struct spe_out *out, enum spe_perf_type type)
{
	if (out->bytes == out->header.data.offset + out->header.data.size)
		return;
	put_words(out, type, (uint64_t[]) { 0 }, 0);
	out->header.data.size = out->bytes - out->header.data.offset;
	overwrite(out, &out->header, sizeof(out->header), 0);
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

	out->index = xgrow(out->index, out->nr_index, &out->max_index, sizeof(*out->index));
	out->index[out->nr_index++] = (struct spe_section) { out->bytes, sizeof(record) };
	spe_out_write(out, &record, sizeof(record));
	spe_out_write(out, ring->aux + at, first);
	spe_out_write(out, ring->aux, size - first);
	spe_out_write(out, zeros, padding);
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

/* The next section starts here. */
static void begin(struct spe_out *out, struct spe_section **section, enum spe_feature feature)
{
	(*section)++->offset = out->bytes;
	out->header.features[0] |= 1ULL << feature;
}

static void put_number(struct spe_out *out, uint32_t number)
{
	spe_out_write(out, &number, sizeof(number));
}

static void put_text(struct spe_out *out, const char *text)
{
	static const char zeros[TEXT_ALIGN];
	size_t len = strlen(text), padding = TEXT_ALIGN - len % TEXT_ALIGN;

	put_number(out, len + padding);
	spe_out_write(out, text, len);
	spe_out_write(out, zeros, padding);
}

/* The MIDR_EL1 of the first CPU that is recorded. */
static void put_cpuid(struct spe_out *out, const struct spe_ring *ring)
{
	char text[32];

	while (!ring->pmu)
		ring++;
	snprintf(text, sizeof(text), "%#018" PRIx64, midr_of(ring->cpu));
	put_text(out, text);
}

static void put_command(struct spe_out *out, char **words)
{
	size_t nr = 0;

	while (words[nr])
		nr++;
	put_number(out, nr);
	for (; *words; words++)
		put_text(out, *words);
}

static void put_events(struct spe_out *out)
{
	const struct spe_out_event *event = out->events;

	put_number(out, out->nr_events);
	put_number(out, SPE_ATTR_SIZE);
	for (; event < out->events + out->nr_events; event++) {
		spe_out_write(out, &event->attr, SPE_ATTR_SIZE);
		put_number(out, event->nr_ids);
		put_text(out, event->name);
		spe_out_write(out, event->ids, event->nr_ids * sizeof(*event->ids));
	}
}

static void put_pmus(struct spe_out *out, const struct spe_pmus *pmus)
{
	put_number(out, pmus->nr + 1);
	put_number(out, PERF_TYPE_SOFTWARE);
	put_text(out, "software");
	for (size_t i = 0; i < pmus->nr; i++) {
		put_number(out, pmus->v[i].type);
		put_text(out, pmus->v[i].name);
	}
}

/* See tools/perf/util/header.c. */
static void put_sections(struct spe_session *session, struct spe_section *next)
{
	struct spe_out *out = &session->out;
	uint64_t nr = out->nr_index;
	struct utsname names = { 0 };

	uname(&names);
	begin(out, &next, FEATURE_HOSTNAME);
	put_text(out, names.nodename);
	begin(out, &next, FEATURE_OSRELEASE);
	put_text(out, names.release);
	begin(out, &next, FEATURE_VERSION);
	put_text(out, program_version);
	begin(out, &next, FEATURE_ARCH);
	put_text(out, names.machine);
	begin(out, &next, FEATURE_NRCPUS);
	put_number(out, sysconf(_SC_NPROCESSORS_CONF));
	put_number(out, sysconf(_SC_NPROCESSORS_ONLN));
	begin(out, &next, FEATURE_CPUID);
	put_cpuid(out, session->rings);
	begin(out, &next, FEATURE_CMDLINE);
	put_command(out, session->options->words);
	begin(out, &next, FEATURE_EVENT_DESC);
	put_events(out);
	begin(out, &next, FEATURE_PMU_MAPPINGS);
	put_pmus(out, &session->pmus);
	begin(out, &next, FEATURE_AUXTRACE_INDEX);
	spe_out_write(out, &nr, sizeof(nr));
	spe_out_write(out, out->index, nr * sizeof(*out->index));
	next->offset = out->bytes;
}

void spe_put_end(struct spe_session *session)
{
	struct spe_section table[NR_SECTIONS + 1] = { 0 };
	struct spe_out *out = &session->out;
	uint64_t at = out->bytes;

	spe_out_write(out, table, NR_SECTIONS * sizeof(*table));
	put_sections(session, table);
	for (size_t i = 0; i < NR_SECTIONS; i++)
		table[i].size = table[i + 1].offset - table[i].offset;
	overwrite(out, table, NR_SECTIONS * sizeof(*table), at);
	overwrite(out, &out->header, sizeof(out->header), 0);
	/* Network file systems may report a full disk only now. */
	if (fclose(out->file))
		cannot_write(out);
}

void spe_out_free(struct spe_out *out)
{
	for (size_t i = 0; i < out->nr_events; i++) {
		free(out->events[i].name);
		free(out->events[i].ids);
	}
	free(out->events);
	free(out->index);
}
