/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Whether SPE is usable, according to the module and the driver. */
#ifndef READER_SPE_USABLE_H
#define READER_SPE_USABLE_H

#include <stdbool.h>

#include "libn3telemetry/places.h"

/*
 * Whether SPE is usable on a place's CPUs, NULL for all, according to the module: for a node or the
 * system one of all CPUs suffices. The source may be a copy; a live machine also needs the driver's
 * device.
 */
bool spe_is_at_source(const struct place *place);
/* The same for this machine, with or without the module. */
bool spe_is_here(void);

#endif
