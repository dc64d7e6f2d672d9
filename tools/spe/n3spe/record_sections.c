// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Sections behind the data of a perf.data: see tools/perf/util/header.c. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/machine.h"
#include "lib/memory.h"
#include "lib/program.h"
#include "record_session.h"

#define TEXT_ALIGN	64

static void put_number(FILE *out, uint32_t number)
{
	fwrite(&number, sizeof(number), 1, out);
}

static void put_text(FILE *out, const char *text)
{
	size_t len = strlen(text), size = (len + TEXT_ALIGN) / TEXT_ALIGN * TEXT_ALIGN;

	put_number(out, size);
	fwrite(text, len + 1, 1, out);
	while (++len < size)
		fputc('\0', out);
}

uint64_t spe_out_midr(unsigned int cpu)
{
	char *path = format_string("/sys/devices/system/cpu/cpu%u/regs/identification/midr_el1",
				   cpu);
	char text[32];

	machine_read(&this_machine, path, text, sizeof(text));
	free(path);
	return strtoull(text, NULL, 16);
}

/* Of the first CPU that is recorded. */
static void put_cpuid(FILE *out, const struct spe_ring *ring)
{
	char text[32];

	while (!ring->pmu)
		ring++;
	snprintf(text, sizeof(text), "%#018" PRIx64, spe_out_midr(ring->cpu));
	put_text(out, text);
}

static void put_command(FILE *out, char **words)
{
	size_t nr = 0;

	while (words[nr])
		nr++;
	put_number(out, nr);
	for (; *words; words++)
		put_text(out, *words);
}

static void put_events(FILE *out, const struct spe_out *file)
{
	const struct spe_out_event *event = file->events;

	put_number(out, file->nr_events);
	put_number(out, SPE_ATTR_SIZE);
	for (; event < file->events + file->nr_events; event++) {
		fwrite(&event->attr, SPE_ATTR_SIZE, 1, out);
		put_number(out, event->nr_ids);
		put_text(out, event->name);
		fwrite(event->ids, sizeof(*event->ids), event->nr_ids, out);
	}
}

static void put_pmus(FILE *out, const struct spe_pmus *pmus)
{
	put_number(out, pmus->nr + 1);
	put_number(out, PERF_TYPE_SOFTWARE);
	put_text(out, "software");
	for (size_t i = 0; i < pmus->nr; i++) {
		put_number(out, pmus->v[i].type);
		put_text(out, pmus->v[i].name);
	}
}

static void put_section(FILE *out, const struct spe_session *session, enum spe_feature section)
{
	uint64_t nr = session->out.nr_index;
	struct utsname names = { 0 };

	uname(&names);
	switch (section) {
	case FEATURE_HOSTNAME:
		put_text(out, names.nodename);
		return;
	case FEATURE_OSRELEASE:
		put_text(out, names.release);
		return;
	case FEATURE_VERSION:
		put_text(out, program_version);
		return;
	case FEATURE_ARCH:
		put_text(out, names.machine);
		return;
	case FEATURE_NRCPUS:
		put_number(out, sysconf(_SC_NPROCESSORS_CONF));
		put_number(out, sysconf(_SC_NPROCESSORS_ONLN));
		return;
	case FEATURE_CPUID:
		put_cpuid(out, session->rings);
		return;
	case FEATURE_CMDLINE:
		put_command(out, session->options->words);
		return;
	case FEATURE_EVENT_DESC:
		put_events(out, &session->out);
		return;
	case FEATURE_PMU_MAPPINGS:
		put_pmus(out, &session->pmus);
		return;
	case FEATURE_AUXTRACE_INDEX:
		fwrite(&nr, sizeof(nr), 1, out);
		fwrite(session->out.index, sizeof(*session->out.index), nr, out);
		return;
	default:
		return;
	}
}

void spe_put_end(struct spe_session *session)
{
	static const enum spe_feature sections[] = {
		FEATURE_HOSTNAME, FEATURE_OSRELEASE, FEATURE_VERSION, FEATURE_ARCH, FEATURE_NRCPUS,
		FEATURE_CPUID, FEATURE_CMDLINE, FEATURE_EVENT_DESC, FEATURE_PMU_MAPPINGS,
		FEATURE_AUXTRACE_INDEX,
	};
	struct spe_section table[NR(sections)];
	struct spe_out *out = &session->out;
	uint64_t at = out->bytes + sizeof(table);
	char *bytes;
	size_t size;
	FILE *text = open_memstream(&bytes, &size);

	if (!text)
		out_of_memory();
	for (size_t i = 0; i < NR(sections); i++) {
		table[i].offset = at + ftell(text);
		put_section(text, session, sections[i]);
		table[i].size = at + ftell(text) - table[i].offset;
		out->header.features[0] |= 1ULL << sections[i];
	}
	if (fclose(text))
		out_of_memory();
	spe_out_write(out, table, sizeof(table));
	spe_out_write(out, bytes, size);
	spe_out_overwrite(out, &out->header, sizeof(out->header), 0);
	free(bytes);
	spe_out_close(out);
}
