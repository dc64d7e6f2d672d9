/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* doctor checks: sampling state of the CPUs, with the causes. */
#ifndef N3CHECK_DOCTOR_CPUS_H
#define N3CHECK_DOCTOR_CPUS_H

#include "cli/machine.h"

/* @others: doctor_others() found other holders of counters. */
void doctor_cpus(const struct machine *machine, bool others);

#endif
