// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Description of a recording: the texts of its INFO, CPUS and END chunks. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "lib/cpu_list.h"
#include "lib/machine.h"
#include "lib/memory.h"
#include "lib/program.h"
#include "record_session.h"

static void print_machine(char **text)
{
	time_t now = time(NULL);
	struct utsname name;
	char date[32];

	if (!uname(&name))
		append_text(text, "", "host %s\nkernel %s\nmachine %s\n", name.nodename,
			    name.release, name.machine);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	append_text(text, "", "date %s\n", date);
}

static void print_target(char **text, const struct spe_session *session)
{
	bool sampled[MAX_CPUS] = { false };
	char *cpus;

	if (session->on_exec)
		append_text(text, "", "target command\n");
	else if (session->nr_tasks)
		append_text(text, "", "target process %d\n", session->options->pids[0]);
	else
		append_text(text, "", "target cpus\n");
	for (size_t i = 0; i < session->nr_rings; i++)
		if (session->rings[i].pmu)
			sampled[session->rings[i].cpu] = true;
	cpus = cpu_list_text(sampled);
	append_text(text, "", "cpus %s\n", cpus);
	free(cpus);
}

static void print_clock(char **text, const struct spe_clock *clock)
{
	if (!clock->is_known)
		return;
	append_text(text, "", "clock_mult %u\nclock_shift %u\nclock_zero %" PRIu64 "\n",
		    clock->mult, clock->shift, clock->zero);
	if (clock->is_short)
		append_text(text, "", "clock_cycles %" PRIu64 "\nclock_mask %#" PRIx64 "\n",
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
	char *text = NULL, *filters = spe_record_filters(options);

	append_text(&text, "", "version 1\nn3stat %s\n", program_version);
	print_machine(&text);
	append_text(&text, "", "command %s\nperiod %" PRIu64 "\n", options->line, session->period);
	if (pmu->min_interval)
		append_text(&text, "", "min_interval %u\n", pmu->min_interval);
	if (pmu->counter_bits)
		append_text(&text, "", "counter_bits %u\n", pmu->counter_bits);
	if (*filters)
		append_text(&text, "", "filter %s\n", filters);
	append_text(&text, "", "modes %s\n", modes(options));
	print_clock(&text, &session->clock);
	append_text(&text, "", "sample_type %#llx\n", (unsigned long long)SPE_SAMPLE_TYPE);
	print_target(&text, session);
	free(filters);
	return text;
}

/* Return: the number after a key in a file, or at its start if the key is ""; 0 if absent. */
static uint64_t read_hex(const char *key, char *path)
{
	char text[4096];
	const char *found;

	machine_read(&this_machine, path, text, sizeof(text));
	free(path);
	found = strstr(text, key);
	return found ? strtoull(found + strlen(key), NULL, 16) : 0;
}

char *spe_session_cpus(const struct spe_session *session)
{
	const struct spe_ring *ring;
	uint64_t midr, pmsidr;
	char *text = xstrdup("");

	for (size_t i = 0; i < session->nr_rings; i++) {
		ring = &session->rings[i];
		if (!ring->pmu)
			continue;
		midr = read_hex("", format_string("/sys/devices/system/cpu/cpu%d/regs/"
						    "identification/midr_el1", ring->cpu));
		/* Shown by the module, not by the driver. */
		pmsidr = read_hex("pmsidr ", format_string("%s/cpu%d/spe", SOURCE_DEFAULT,
							   ring->cpu));
		append_text(&text, "", "cpu %d midr %#018" PRIx64 " pmsidr 0x%" PRIx64 " pmu %s\n",
			    ring->cpu, midr, pmsidr, ring->pmu->name);
	}
	return text;
}

char *spe_session_totals(const struct spe_session *session)
{
	static const char * const names[SPE_NR_LOST] = {
		[SPE_LOST_TRUNCATED] = "truncated",
		[SPE_LOST_STALLED] = "stalled",
		[SPE_LOST_PERF] = "perf",
		[SPE_LOST_OFFLINE] = "offline",
		[SPE_LOST_UNKNOWN_SIZE] = "unknown_size",
	};
	const struct spe_totals *totals = &session->totals;
	char *text = NULL;

	append_text(&text, "", "aux_bytes %" PRIu64 "\naux_records %" PRIu64 "\n"
		    "truncated %" PRIu64 "\ncollisions %" PRIu64 "\npartial %" PRIu64 "\n"
		    "lost_records %" PRIu64 "\n",
		    totals->aux_bytes, totals->aux_records, totals->truncated, totals->collisions,
		    totals->partial, totals->lost_records);
	for (int i = 1; i < SPE_NR_LOST; i++)
		append_text(&text, "", "lost_%s %" PRIu64 "\n", names[i], totals->lost[i]);
	return text;
}
