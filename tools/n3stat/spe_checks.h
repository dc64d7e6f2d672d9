/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What n3stat spe info finds: why SPE cannot be used, and what fixes it. */
#ifndef N3STAT_SPE_CHECKS_H
#define N3STAT_SPE_CHECKS_H

#include "spe_machine.h"

/* Says what it finds. */
void spe_check(const struct machine *machine, const struct spe_machine *spe);
/* Return: the words that n3stat spe record needs at least, so that it is permitted. */
const char *spe_permitted_target(const struct machine *machine);

#endif
