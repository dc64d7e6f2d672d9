// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* SPE PMUs: one for each kind of core. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cpu_list.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "machine.h"
#include "record_pmu.h"

static void add_pmu(struct spe_pmus *pmus, const char *name)
{
	char *path = format_string(SPE_DEVICES "/%s/cpumask", name);
	struct spe_pmu *pmu;
	struct cpus cpus;

	if (cpus_read(&cpus, path)) {
		pmus->v = xreallocarray(pmus->v, pmus->nr + 1, sizeof(*pmus->v));
		pmu = &pmus->v[pmus->nr++];
		*pmu = (struct spe_pmu) {
			.name = xstrdup(name),
			.type = spe_device_number(&this_machine, name, "type"),
			.cpus = cpus,
			.min_interval = spe_device_number(&this_machine, name, "caps/min_interval"),
			.counter_bits = spe_device_number(&this_machine, name, "caps/count_size"),
		};
	}
	free(path);
}

void spe_pmus_find(struct spe_pmus *pmus)
{
	char **names;

	*pmus = (struct spe_pmus) { 0 };
	xdisk_list(SPE_DEVICES, &names);
	for (size_t i = 0; names[i]; i++)
		if (!strncmp(names[i], SPE_DEVICE, strlen(SPE_DEVICE)))
			add_pmu(pmus, names[i]);
	free_names(names);
}

void spe_pmus_free(struct spe_pmus *pmus)
{
	for (size_t i = 0; i < pmus->nr; i++) {
		free(pmus->v[i].name);
		cpus_free(&pmus->v[i].cpus);
	}
	free(pmus->v);
	*pmus = (struct spe_pmus) { 0 };
}

const struct spe_pmu *spe_pmu_of(const struct spe_pmus *pmus, unsigned int cpu)
{
	for (size_t i = 0; i < pmus->nr; i++)
		if (cpus_have(&pmus->v[i].cpus, cpu))
			return &pmus->v[i];
	return NULL;
}

/* Return: the word of the attributes for a name in the driver's format files, or NULL. */
static uint64_t *word_of(union spe_attr *attr, const char *name, size_t len)
{
	if (len == 6 && !strncmp(name, "config", len))
		return (uint64_t *)&attr->attr.config;
	if (len != 7 || strncmp(name, "config", 6))
		return NULL;
	switch (name[6]) {
	case '1':
		return (uint64_t *)&attr->attr.config1;
	case '2':
		return (uint64_t *)&attr->attr.config2;
	case '3':
		attr->attr.size = SPE_ATTR_SIZE + sizeof(uint64_t);
		return &attr->words[SPE_CONFIG3];
	default:
		return NULL;
	}
}

int spe_pmu_set(const struct spe_pmu *pmu, union spe_attr *attr, const char *term, uint64_t value)
{
	char *path = format_string(SPE_DEVICES "/%s/format/%s", pmu->name, term);
	char text[64], *colon, *end;
	unsigned long low, high;
	uint64_t *word = NULL;

	machine_read(&this_machine, path, text, sizeof(text));
	free(path);
	colon = strchr(text, ':');
	if (colon)
		word = word_of(attr, text, colon - text);
	if (!word)
		return -ENOENT;
	low = strtoul(colon + 1, &end, 10);
	high = *end == '-' ? strtoul(end + 1, NULL, 10) : low;
	if (high > 63 || low > high)
		return -ENOENT;
	if (high - low < 63 && value >> (high - low + 1))
		return -ERANGE;
	*word |= value << low;
	return 0;
}
