/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: the CPUs to test, one per kind, their caches and free memory. */
#ifndef N3CHECK_SELFTEST_CPUS_H
#define N3CHECK_SELFTEST_CPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/cpu_list.h"
#include "lib/machine.h"
#include "selftest_kernels.h"
#include "selftest_report.h"

/*
 * CPUs of the list; without a list, one online CPU of each kind (MIDR and PMU) that is neither
 * isolated nor nohz_full and, with root (the directory of n3_telemetry), that it samples. Exits if
 * one is offline or no CPU remains.
 */
void selftest_choose_cpus(struct cpus *cpus, const char *list, const char *root);
/*
 * Return: whether a report covers each kind of CPU that n3_telemetry samples here; true for a
 * directory other than the live module's.
 */
bool selftest_covers(const struct selftest_report *report, const char *root);
/* Return: its MIDR_EL1, 0 if unknown. */
uint64_t selftest_midr(const struct machine *machine, unsigned int cpu);
/* Sizes of the working set on a CPU; limited to a share of the free memory. */
void selftest_choose_sizes(struct selftest_sizes *sizes, unsigned int cpu);
/* Binds this process to a CPU. */
void selftest_go_to(unsigned int cpu);

/* By MIDR_EL1, from the module's table of cores: "Neoverse N3 r0p1"; the caller frees it. */
char *selftest_core_name(uint64_t midr);
/* Return: operations issued per cycle at most, 0 if unknown. */
unsigned int selftest_slots(uint64_t midr);

/*
 * Return: free bytes of the machine, or of this process's cgroup or one of its ancestors, whichever
 * is smallest; 0 if unknown. Supports cgroup version 2, which also limits containers.
 */
size_t selftest_free_memory(const struct machine *machine);

/* Return: whether the module with directory root samples a CPU, or would with sampling enabled. */
bool selftest_is_sampled(const char *root, unsigned int cpu);

#endif
