/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: which CPUs stand for their kinds, and how large their caches are. */
#ifndef N3STAT_SELFTEST_CPUS_H
#define N3STAT_SELFTEST_CPUS_H

#include "machine.h"
#include "selftest_kernels.h"
#include "spe_record_cpus.h"

/*
 * Those in a list, or, if it is NULL, one online CPU of each kind (MIDR and PMU) that is
 * not isolated. Ends the program if one is not online, or there is none.
 */
void selftest_choose_cpus(struct spe_cpus *cpus, const char *list);
/* Return: its MIDR_EL1, 0 if unknown. */
uint64_t selftest_midr(const struct machine *machine, unsigned int cpu);
/* What is gone through there: a share of the memory that is free, at most. */
void selftest_choose_sizes(struct selftest_sizes *sizes, unsigned int cpu);
/* Binds this process to a CPU. */
void selftest_go_to(unsigned int cpu);

#endif
