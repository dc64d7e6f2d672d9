/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Detection of virtual machines, from their own description. */
#ifndef CLI_MACHINE_VIRTUAL_H
#define CLI_MACHINE_VIRTUAL_H

#include "machine.h"

/* Return: the hypervisor, NULL if the machine is not virtual. */
const char *machine_virtual(const struct machine *machine);

#endif
