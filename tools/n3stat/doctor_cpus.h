/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What doctor can tell of the CPUs of the loaded module: which are sampled, and why not. */
#ifndef N3STAT_DOCTOR_CPUS_H
#define N3STAT_DOCTOR_CPUS_H

#include "machine.h"

/* With others: somebody was found who holds counters, or may. */
void doctor_cpus(const struct machine *machine, bool others);

#endif
