/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What doctor can tell of the machine: CPU, kernel, module file, other users. */
#ifndef N3STAT_DOCTOR_MACHINE_H
#define N3STAT_DOCTOR_MACHINE_H

#include "machine.h"

/* Each says what it finds; one that makes the next ones useless returns false. */
bool doctor_cpu(const struct machine *machine);
bool doctor_module(const struct machine *machine);
/* Return: whether somebody holds counters, or may. */
bool doctor_others(const struct machine *machine);

#endif
