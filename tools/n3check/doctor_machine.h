/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* doctor checks: CPU, kernel, module file, other users of the PMU. */
#ifndef N3CHECK_DOCTOR_MACHINE_H
#define N3CHECK_DOCTOR_MACHINE_H

#include "cli/machine.h"

/* Each check reports its findings; false: the following checks are useless. */
bool doctor_cpu(const struct machine *machine);
bool doctor_module(const struct machine *machine);
/* Return: whether others hold counters, or may hold them. */
bool doctor_others(const struct machine *machine);

#endif
