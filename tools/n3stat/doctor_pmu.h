/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What doctor can tell of the machine's PMU: none, one without counters, a part of one. */
#ifndef N3STAT_DOCTOR_PMU_H
#define N3STAT_DOCTOR_PMU_H

#include "machine.h"

/* The fewest programmable counters that the core is built with. */
#define FULL_BUDGET	6

void doctor_pmu(const struct machine *machine);

/* Of the module's file spec: events that PMCEID says are not there. */
void doctor_pmceid(const struct machine *machine);

/* Some programmable counters that the core has are missing, since the PMU has no more. */
const char *pmu_counters_cause(const struct machine *machine);
const char *pmu_counters_command(const struct machine *machine);

/* Are some of the PMU's counters set aside for guests of this machine? */
bool pmu_is_partitioned(const struct machine *machine);

#endif
