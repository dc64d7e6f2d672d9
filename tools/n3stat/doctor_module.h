/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the loaded module itself tells doctor: settings, states, counters. */
#ifndef N3STAT_DOCTOR_MODULE_H
#define N3STAT_DOCTOR_MODULE_H

#include "machine.h"

/* Return: false if what is found makes doctor_places() useless. */
bool doctor_settings(const struct machine *machine);
void doctor_places(const struct machine *machine);

#endif
