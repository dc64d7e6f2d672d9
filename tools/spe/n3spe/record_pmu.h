/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* SPE PMUs: one for each kind of core, and attributes of their events. */
#ifndef N3SPE_RECORD_PMU_H
#define N3SPE_RECORD_PMU_H

#include <linux/perf_event.h>
#include <stdint.h>

#include "record_options.h"

/*
 * Event attributes, with room for fields that the build's headers lack: config3 follows those of
 * Linux 5.15.
 */
union spe_attr {
	struct perf_event_attr attr;
	uint64_t words[32];
};

/* Fields that sample_id_all appends to each perf record, in this order. */
#define SPE_SAMPLE_TYPE	(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
			 PERF_SAMPLE_IDENTIFIER)

struct spe_trailer {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint64_t id;
};

/* Maximum size of pending records of a ring. */
#define SPE_RECORDS_SIZE	(256u << 10)

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

/* Event attributes; exits if the driver does not support an option. */
union spe_attr spe_attr_samples(const struct spe_pmu *pmu,
				const struct spe_record_options *options);
union spe_attr spe_attr_sideband(void);

#endif
