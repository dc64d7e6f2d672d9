/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Checks of n3stat spe info: why SPE is unusable, and how to enable it. */
#ifndef N3SPE_CHECKS_H
#define N3SPE_CHECKS_H

#include "machine.h"

/* Return: the command or the change that mends a finding, NULL if there is none. */
const char *spe_fix(const char *id);
/* Reports the findings. */
void spe_check(const struct machine *machine, const struct spe_machine *spe);
/* Return: the minimum options of n3stat spe record with which it is permitted. */
const char *spe_permitted_target(const struct machine *machine);

#endif
