/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Whether a machine is a virtual one, as far as it says so. */
#ifndef N3STAT_MACHINE_VIRTUAL_H
#define N3STAT_MACHINE_VIRTUAL_H

#include "machine.h"

/* Return: who gives this machine to the kernel, NULL if it is no virtual one. */
const char *machine_virtual(const struct machine *machine);

#endif
