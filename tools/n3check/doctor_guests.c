// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* doctor checks: guests running on this machine (KVM). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "lib/finding.h"
#include "lib/keys.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "lib/text.h"
#include "libn3telemetry/places.h"

/* Whether the process has a virtual machine open. */
static bool holds_guest(const struct machine *machine, const char *pid)
{
	char *directory = format_string("/proc/%s/fd", pid);
	char **names = machine_list(machine, directory);
	bool holds = false;
	char to[64];

	for (size_t i = 0; names[i] && !holds; i++) {
		char *path = format_string("%s/%s", directory, names[i]);

		holds = machine_read_link(machine, path, to, sizeof(to)) &&
			!strcmp(to, "anon_inode:kvm-vm");
		free(path);
	}
	free_names(names);
	free(directory);
	return holds;
}

static unsigned int count_guests(const struct machine *machine)
{
	char **names = machine_list(machine, "/proc");
	unsigned int nr = 0;

	for (size_t i = 0; names[i]; i++)
		nr += isdigit((unsigned char)names[i][0]) && holds_guest(machine, names[i]);
	free_names(names);
	return nr;
}

/* Return: counters of a CPU reserved for guests, 0 if none or unknown. */
static unsigned long guest_counters(const struct machine *machine, const char *cpu)
{
	char text[MACHINE_MAX_TEXT];
	char *path = format_string("%s/status", cpu);
	unsigned long nr = 0;
	char *word;

	if (module_read(machine, path, text, sizeof(text)) > 0) {
		word = value_of_key(text, "guest_counters");
		nr = word ? strtoul(word, NULL, 10) : 0;
		free(word);
	}
	free(path);
	return nr;
}

static void find_partition(const struct machine *machine)
{
	char **names = module_list(machine);
	unsigned long most = 0, nr;
	unsigned int cpus = 0;
	struct place place;

	for (size_t i = 0; names[i]; i++) {
		if (!place_parse(names[i], &place) || place.scope != SCOPE_CPU)
			continue;
		nr = guest_counters(machine, names[i]);
		cpus += nr > 0;
		most = nr > most ? nr : most;
	}
	free_names(names);
	if (cpus)
		finding(FINDING_WARNING, "pmu_partitioned", NULL,
			"on %u %s the PMU is partitioned: %lu %s gone while a guest runs, and "
			"values are contended then", cpus, plural(cpus, "CPU", "CPUs"), most,
			plural((unsigned int)most, "counter is", "counters are"));
}

void doctor_guests(const struct machine *machine)
{
	unsigned int nr = count_guests(machine);

	if (nr)
		finding(FINDING_NOTE, "guests_running", NULL,
			"%u %s here (KVM): their instructions are counted as well, and their "
			"PMUs take counters", nr, plural(nr, "guest runs", "guests run"));
	if (machine->has_module)
		find_partition(machine);
}
