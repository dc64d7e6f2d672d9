// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Sets of CPUs in the kernel's notation, 0-3,8. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_list.h"
#include "lib/disk.h"
#include "lib/errors.h"
#include "lib/memory.h"
#include "libn3telemetry/places.h"
#include "telemetry.h"

static void take(struct spe_cpus *cpus, const bool *wanted)
{
	*cpus = (struct spe_cpus) { 0 };
	for (unsigned int cpu = 0; cpu < MAX_PLACES; cpu++) {
		if (!wanted[cpu])
			continue;
		cpus->v = xreallocarray(cpus->v, cpus->nr + 1, sizeof(*cpus->v));
		cpus->v[cpus->nr++] = cpu;
	}
}

void spe_cpus_take(struct spe_cpus *cpus, const char *list)
{
	bool wanted[MAX_PLACES] = { false };

	place_list_take(list, SCOPE_CPU, wanted);
	take(cpus, wanted);
}

bool spe_cpus_read(struct spe_cpus *cpus, const char *path)
{
	bool wanted[MAX_PLACES] = { false };
	char text[4096];
	ssize_t len = disk_read(path, text, sizeof(text) - 1);

	*cpus = (struct spe_cpus) { 0 };
	text[len < 0 ? 0 : len] = '\0';
	text[strcspn(text, "\n")] = '\0';
	if (place_list_parse(text, wanted))
		return false;
	take(cpus, wanted);
	return true;
}

bool spe_cpus_has(const struct spe_cpus *cpus, unsigned int cpu)
{
	for (size_t i = 0; i < cpus->nr; i++)
		if (cpus->v[i] == cpu)
			return true;
	return false;
}

char *spe_cpus_print(const struct spe_cpus *cpus)
{
	char *text;
	size_t size, last;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		out_of_memory();
	for (size_t i = 0; i < cpus->nr; i = last + 1) {
		for (last = i; last + 1 < cpus->nr && cpus->v[last + 1] == cpus->v[last] + 1; )
			last++;
		fprintf(out, "%s%u", i ? "," : "", cpus->v[i]);
		if (last > i)
			fprintf(out, "-%u", cpus->v[last]);
	}
	if (fclose(out))
		out_of_memory();
	return text;
}

void spe_cpus_free(struct spe_cpus *cpus)
{
	free(cpus->v);
	*cpus = (struct spe_cpus) { 0 };
}

void spe_cpus_online(struct spe_cpus *cpus)
{
	/* Kernels without hotplug have the file too. */
	if (!spe_cpus_read(cpus, "/sys/devices/system/cpu/online"))
		spe_cpus_take(cpus, "0");
}
