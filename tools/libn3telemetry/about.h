/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Counts of the simulated PMU, n3_sim: whoever shows them says so. */
#ifndef LIBN3TELEMETRY_ABOUT_H
#define LIBN3TELEMETRY_ABOUT_H

#include <stdbool.h>

/*
 * Whether the source's counts are simulated. It is read once, and the text of another
 * file that was read before is gone then.
 */
bool simulated(void);

#endif
