/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* SPE PMUs: one for each kind of core. */
#ifndef N3SPE_RECORD_PMU_H
#define N3SPE_RECORD_PMU_H

#include <linux/perf_event.h>
#include <stdint.h>

#include "lib/cpu_list.h"

/*
 * Event attributes, with room for fields that the build's headers lack: config3 follows those of
 * Linux 5.15.
 */
union spe_attr {
	struct perf_event_attr attr;
	uint64_t words[32];
};

#define SPE_ATTR_SIZE	128
#define SPE_CONFIG3	(SPE_ATTR_SIZE / 8)

struct spe_pmu {
	char *name;
	uint32_t type;
	struct cpus cpus;
	unsigned int min_interval;	/* operations, 0 if unknown */
	unsigned int counter_bits;	/* of a latency, 0 if unknown */
};

struct spe_pmus {
	struct spe_pmu *v;
	size_t nr;
};

void spe_pmus_find(struct spe_pmus *pmus);
void spe_pmus_free(struct spe_pmus *pmus);
/* Return: PMU of a CPU, or NULL. */
const struct spe_pmu *spe_pmu_of(const struct spe_pmus *pmus, unsigned int cpu);
/*
 * Sets the driver's term. Return: 0, -ENOENT for an unknown term, -ERANGE if the value does not
 * fit.
 */
int spe_pmu_set(const struct spe_pmu *pmu, union spe_attr *attr, const char *term,
		uint64_t value);

#endif
