/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Checks of doctor; each reports its findings. */
#ifndef N3CHECK_DOCTOR_H
#define N3CHECK_DOCTOR_H

#include "lib/machine.h"

/* Smallest number of programmable counters that the core is built with. */
#define FULL_BUDGET	6

/* CPU, module. Return: false if the following checks are useless. */
bool doctor_cpu(const struct machine *machine);
bool doctor_module(const struct machine *machine);

/* Cause of a module that is not loaded: not built, not installed, or refused. */
void doctor_install(const struct machine *machine);

/* A missing PMU, or one with few or no counters. */
void doctor_pmu(const struct machine *machine);
/* Cause of a PMU with fewer programmable counters than the core is built with. */
const char *pmu_counters_cause(const struct machine *machine);
const char *pmu_counters_command(const struct machine *machine);
/* Whether the host reserves counters of its PMU for guests. */
bool pmu_is_partitioned(const struct machine *machine);

/* Return: whether others hold counters, or may hold them. */
bool doctor_others(const struct machine *machine);
/* Running guests, and the counters that the PMU reserves for them. */
void doctor_guests(const struct machine *machine);
/* The sysctl that lets any task read the counters in use on its CPU. */
void doctor_user_access(const struct machine *machine);

/*
 * PMU, settings and switching costs of the module. Return: false if the findings make
 * doctor_cpus() useless.
 */
bool doctor_settings(const struct machine *machine);

/* Sampling state, with the causes. @others: doctor_others() found other holders of counters. */
void doctor_cpus(const struct machine *machine, bool others);

#endif
