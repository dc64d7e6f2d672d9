/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the loaded module itself tells doctor: its PMU, settings, how it switches. */
#ifndef N3STAT_DOCTOR_MODULE_H
#define N3STAT_DOCTOR_MODULE_H

#include "machine.h"

/* Return: false if what is found makes doctor_cpus() useless. */
bool doctor_settings(const struct machine *machine);

#endif
