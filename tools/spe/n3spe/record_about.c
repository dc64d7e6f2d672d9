// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Description of a recording: the texts of its INFO, CPUS and END chunks. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "lib/cpu_list.h"
#include "lib/disk.h"
#include "lib/errors.h"
#include "lib/machine.h"
#include "lib/memory.h"
#include "lib/program.h"
#include "record_session.h"

static FILE *open_text(char **text, size_t *size)
{
	FILE *out = open_memstream(text, size);

	if (!out)
		out_of_memory();
	return out;
}

static void close_text(FILE *out)
{
	if (fclose(out))
		out_of_memory();
}

static void print_machine(FILE *out)
{
	time_t now = time(NULL);
	struct utsname name;
	char date[32];

	if (!uname(&name))
		fprintf(out, "host %s\nkernel %s\nmachine %s\n", name.nodename, name.release,
			name.machine);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	fprintf(out, "date %s\n", date);
}

static void print_target(FILE *out, const struct spe_session *session)
{
	bool sampled[MAX_CPUS] = { false };
	char *cpus;

	if (session->on_exec)
		fputs("target command\n", out);
	else if (session->nr_tasks)
		fprintf(out, "target process %d\n", session->options->pids[0]);
	else
		fputs("target cpus\n", out);
	for (size_t i = 0; i < session->nr_rings; i++)
		if (session->rings[i].pmu)
			sampled[session->rings[i].cpu] = true;
	cpus = cpu_list_text(sampled);
	fprintf(out, "cpus %s\n", cpus);
	free(cpus);
}

static void print_clock(FILE *out, const struct spe_clock *clock)
{
	if (!clock->is_known)
		return;
	fprintf(out, "clock_mult %u\nclock_shift %u\nclock_zero %" PRIu64 "\n", clock->mult,
		clock->shift, clock->zero);
	if (clock->is_short)
		fprintf(out, "clock_cycles %" PRIu64 "\nclock_mask %#" PRIx64 "\n",
			clock->cycles, clock->mask);
}

static const char *modes(const struct spe_record_options *options)
{
	return options->only_kernel ? "kernel" : options->only_user ? "user" : "kernel user";
}

char *spe_session_info(const struct spe_session *session)
{
	const struct spe_record_options *options = session->options;
	const struct spe_pmu *pmu = session->pmus.v;
	char *text, *filters = spe_record_filters(options);
	size_t size;
	FILE *out = open_text(&text, &size);

	fprintf(out, "version 1\nn3stat %s\n", program_version);
	print_machine(out);
	fprintf(out, "command %s\nperiod %" PRIu64 "\n", options->line, session->period);
	if (pmu->min_interval)
		fprintf(out, "min_interval %u\n", pmu->min_interval);
	if (pmu->counter_bits)
		fprintf(out, "counter_bits %u\n", pmu->counter_bits);
	if (*filters)
		fprintf(out, "filter %s\n", filters);
	fprintf(out, "modes %s\n", modes(options));
	print_clock(out, &session->clock);
	fprintf(out, "sample_type %#llx\n", (unsigned long long)SPE_SAMPLE_TYPE);
	print_target(out, session);
	close_text(out);
	free(filters);
	return text;
}

/* Return: the number after a key in a file, or the only one if key is empty; 0 if absent. */
static uint64_t read_hex(const char *key, char *path)
{
	char text[4096];
	ssize_t len = disk_read(path, text, sizeof(text) - 1);
	const char *found = text;

	free(path);
	text[len < 0 ? 0 : len] = '\0';
	if (key)
		found = strstr(text, key);
	if (!found)
		return 0;
	return strtoull(found + (key ? strlen(key) : 0), NULL, 16);
}

char *spe_session_cpus(const struct spe_session *session)
{
	const struct spe_ring *ring;
	uint64_t midr, pmsidr;
	size_t size;
	char *text;
	FILE *out = open_text(&text, &size);

	for (size_t i = 0; i < session->nr_rings; i++) {
		ring = &session->rings[i];
		if (!ring->pmu)
			continue;
		midr = read_hex(NULL, format_string("/sys/devices/system/cpu/cpu%d/regs/"
						    "identification/midr_el1", ring->cpu));
		/* Shown by the module, not by the driver. */
		pmsidr = read_hex("pmsidr ", format_string("%s/cpu%d/spe", SOURCE_DEFAULT,
							   ring->cpu));
		fprintf(out, "cpu %d midr %#018" PRIx64 " pmsidr 0x%" PRIx64 " pmu %s\n",
			ring->cpu, midr, pmsidr, ring->pmu->name);
	}
	close_text(out);
	return text;
}

char *spe_session_totals(const struct spe_session *session)
{
	static const char * const names[SPE_LOST_REASONS] = {
		[SPE_LOST_TRUNCATED] = "truncated",
		[SPE_LOST_STALLED] = "stalled",
		[SPE_LOST_PERF] = "perf",
		[SPE_LOST_OFFLINE] = "offline",
		[SPE_LOST_UNKNOWN_SIZE] = "unknown_size",
	};
	const struct spe_totals *totals = &session->totals;
	size_t size;
	char *text;
	FILE *out = open_text(&text, &size);

	fprintf(out, "aux_bytes %" PRIu64 "\naux_records %" PRIu64 "\ntruncated %" PRIu64 "\n"
		"collisions %" PRIu64 "\npartial %" PRIu64 "\nlost_records %" PRIu64 "\n",
		totals->aux_bytes, totals->aux_records, totals->truncated, totals->collisions,
		totals->partial, totals->lost_records);
	for (int i = 1; i < SPE_LOST_REASONS; i++)
		fprintf(out, "lost_%s %" PRIu64 "\n", names[i], totals->lost[i]);
	close_text(out);
	return text;
}
