/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* doctor checks: a missing PMU, or one with few or no counters. */
#ifndef N3CHECK_DOCTOR_PMU_H
#define N3CHECK_DOCTOR_PMU_H

#include "cli/machine.h"

/* Smallest number of programmable counters that the core is built with. */
#define FULL_BUDGET	6

void doctor_pmu(const struct machine *machine);

/* Events in the module's file spec that PMCEID reports as absent. */
void doctor_pmceid(const struct machine *machine);

/* Why the PMU has fewer programmable counters than the core is built with. */
const char *pmu_counters_cause(const struct machine *machine);
const char *pmu_counters_command(const struct machine *machine);

/* Whether the host reserves counters of its PMU for guests. */
bool pmu_is_partitioned(const struct machine *machine);

#endif
