/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* How busy places are: CPUs, the CPUs of a node, all that the module measures. */
#ifndef N3STAT_BUSY_H
#define N3STAT_BUSY_H

#include "cli/proc_stat.h"
#include "libn3telemetry/choice.h"

/*
 * From when on; proc is the user's, which must be readable, or NULL: then it has no effect
 * on a copy.
 */
void busy_start(const char *proc);
/* Waits until a quarter of a second has passed since then. */
void busy_settle(void);
/*
 * Of the places since the last time; what it was then if that is less than a quarter of
 * a second ago. Return: NULL if it is not known; valid until the next call.
 */
const struct utilisation *busy_read(const struct choice *choice);
void busy_end(void);

#endif
