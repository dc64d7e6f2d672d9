/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Arm cores whose SPE has the data sources of Neoverse cores. */
#ifndef LIB_CORES_H
#define LIB_CORES_H

#include <stdbool.h>
#include <stdint.h>

/* Implementer and part of MIDR_EL1, without variant and revision. */
#define MIDR_MODEL(midr)	((midr) & 0xff00fff0)

/*
 * Return: whether the core's implementation defined values (data sources, event 12) have the
 * meaning that Arm's manuals give them. @midr: its MIDR_EL1.
 */
bool core_is_known(uint64_t midr);

#endif
