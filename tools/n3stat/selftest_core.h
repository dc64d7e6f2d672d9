/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: what a CPU is, by its MIDR_EL1 and the module's own table of cores. */
#ifndef N3STAT_SELFTEST_CORE_H
#define N3STAT_SELFTEST_CORE_H

#include <stdint.h>

/* "Neoverse N3 r0p1"; to be freed. */
char *selftest_core_name(uint64_t midr);
/* Return: how many operations it can issue in a cycle, 0 if unknown. */
unsigned int selftest_slots(uint64_t midr);

#endif
