// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* SPE PMUs: one for each kind of core. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cpu_list.h"
#include "lib/disk.h"
#include "lib/files.h"
#include "lib/memory.h"
#include "lib/names.h"
#include "record_pmu.h"

#define DEVICES	"/sys/bus/event_source/devices"
#define PREFIX	"arm_spe_"

/* Return: false if the file is missing. */
static bool read_file(const char *pmu, const char *file, char *text, size_t size)
{
	char *path = format_string("%s/%s/%s", DEVICES, pmu, file);
	ssize_t len = disk_read(path, text, size - 1);

	free(path);
	text[len < 0 ? 0 : len] = '\0';
	return len > 0;
}

/* Return: the number in a file, 0 if missing. */
static unsigned long read_number(const char *pmu, const char *file)
{
	char text[32];

	return read_file(pmu, file, text, sizeof(text)) ? strtoul(text, NULL, 10) : 0;
}

static void add_pmu(struct spe_pmus *pmus, const char *name)
{
	char *path = format_string("%s/%s/cpumask", DEVICES, name);
	struct spe_pmu *pmu;
	struct cpus cpus;

	if (cpus_read(&cpus, path)) {
		pmus->v = xreallocarray(pmus->v, pmus->nr + 1, sizeof(*pmus->v));
		pmu = &pmus->v[pmus->nr++];
		*pmu = (struct spe_pmu) {
			.name = xstrdup(name),
			.type = read_number(name, "type"),
			.cpus = cpus,
			.min_interval = read_number(name, "caps/min_interval"),
			.counter_bits = read_number(name, "caps/count_size"),
		};
	}
	free(path);
}

void spe_pmus_find(struct spe_pmus *pmus)
{
	char **names;

	*pmus = (struct spe_pmus) { 0 };
	xdisk_list(DEVICES, &names);
	for (size_t i = 0; names[i]; i++)
		if (!strncmp(names[i], PREFIX, strlen(PREFIX)))
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
	char *file = format_string("format/%s", term);
	char text[64], *colon, *end;
	unsigned long low, high;
	uint64_t *word = NULL;
	bool found;

	found = read_file(pmu->name, file, text, sizeof(text));
	free(file);
	colon = strchr(text, ':');
	if (found && colon)
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
