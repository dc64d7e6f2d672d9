/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: which CPUs stand for their kinds, and how large their caches are. */
#ifndef N3STAT_SELFTEST_CPUS_H
#define N3STAT_SELFTEST_CPUS_H

#include "machine.h"
#include "selftest_kernels.h"
#include "selftest_report.h"
#include "spe_record_cpus.h"

/*
 * Those in a list, or, if it is NULL, one online CPU of each kind (MIDR and PMU) that is
 * not isolated or nohz_full; with root, the directory of n3_telemetry, only CPUs that it
 * samples. Ends the program if one is not online, or there is none.
 */
void selftest_choose_cpus(struct spe_cpus *cpus, const char *list, const char *root);
/*
 * Return: whether a report has a CPU of each kind that n3_telemetry samples here; true of
 * a directory that is not the live module's.
 */
bool selftest_covers(const struct selftest_report *report, const char *root);
/* Return: its MIDR_EL1, 0 if unknown. */
uint64_t selftest_midr(const struct machine *machine, unsigned int cpu);
/* What is gone through there: a share of the memory that is free, at most. */
void selftest_choose_sizes(struct selftest_sizes *sizes, unsigned int cpu);
/* Binds this process to a CPU. */
void selftest_go_to(unsigned int cpu);

#endif
