// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* SPE PMUs: one for each kind of core, and attributes of their events. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "errors.h"
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

/*
 * Sets the driver's term. Return: 0, -ENOENT for an unknown term, -ERANGE if the value does not
 * fit.
 */
static int set(const struct spe_pmu *pmu, union spe_attr *attr, const char *term, uint64_t value)
{
	char *path = format_string(SPE_DEVICES "/%s/format/%s", pmu->name, term);
	uint64_t *words[] = {
		(uint64_t *)&attr->attr.config, (uint64_t *)&attr->attr.config1,
		(uint64_t *)&attr->attr.config2, &attr->words[SPE_CONFIG3],
	};
	unsigned int word, low = 64, high = 64;
	char text[64], *range;

	machine_read(&this_machine, path, text, sizeof(text));
	free(path);
	if (strncmp(text, "config", 6))
		return -ENOENT;
	word = strtoul(text + 6, &range, 10);
	if (sscanf(range, ":%u-%u", &low, &high) == 1)
		high = low;
	if (word >= NR(words) || high > 63 || low > high)
		return -ENOENT;
	if (high - low < 63 && value >> (high - low + 1))
		return -ERANGE;
	if (word == 3)
		attr->attr.size = SPE_ATTR_SIZE + sizeof(uint64_t);
	*words[word] |= value << low;
	return 0;
}

union spe_attr spe_attr_samples(const struct spe_pmu *pmu,
				const struct spe_record_options *options)
{
	const struct spe_term *term = options->terms;
	union spe_attr attr = {
		.attr = {
			.type = pmu->type,
			.size = SPE_ATTR_SIZE,
			.sample_period = options->period,
			.sample_type = SPE_SAMPLE_TYPE,
			.read_format = PERF_FORMAT_TOTAL_TIME_RUNNING,
			.disabled = 1,
			.sample_id_all = 1,
			.exclude_user = options->only_kernel,
			.exclude_kernel = options->only_user,
		},
	};

	for (; term < options->terms + options->nr_terms; term++) {
		switch (set(pmu, &attr, term->name, term->value)) {
		case -ENOENT:
			die(ERR_FILTERS_UNSUPPORTED,
			    "%s: %s's driver in this kernel has no %s", term->option,
			    pmu->name, term->name);
		case -ERANGE:
			die(ERR_BAD_VALUE, "%s: %llu is too large for %s", term->option,
			    (unsigned long long)term->value, pmu->name);
		}
	}
	return attr;
}

union spe_attr spe_attr_sideband(void)
{
	return (union spe_attr) {
		.attr = {
			.type = PERF_TYPE_SOFTWARE,
			.config = PERF_COUNT_SW_DUMMY,
			.size = SPE_ATTR_SIZE,
			.sample_period = 1,
			.sample_type = SPE_SAMPLE_TYPE,
			.read_format = PERF_FORMAT_TOTAL_TIME_RUNNING,
			.exclude_kernel = 1,
			.exclude_hv = 1,
			.mmap = 1,
			.mmap2 = 1,
			.build_id = 1,
			.comm = 1,
			.comm_exec = 1,
			.task = 1,
			.context_switch = 1,
			.sample_id_all = 1,
			.watermark = 1,
			.wakeup_watermark = SPE_RECORDS_SIZE / 4,
		},
	};
}
