/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* doctor checks of the loaded module: its PMU, settings and switching costs. */
#ifndef N3CHECK_DOCTOR_MODULE_H
#define N3CHECK_DOCTOR_MODULE_H

#include "cli/machine.h"

/* Return: false if the findings make doctor_cpus() useless. */
bool doctor_settings(const struct machine *machine);

#endif
