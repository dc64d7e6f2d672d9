/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Facts about the source: counts of the simulated PMU n3_sim. */
#ifndef LIBN3TELEMETRY_ABOUT_H
#define LIBN3TELEMETRY_ABOUT_H

#include <stdbool.h>

/*
 * Whether the source's counts are simulated. Reads the file once and invalidates the text of a
 * file read before.
 */
bool simulated(void);

#endif
