/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Utilisation, frequency and instructions per second of places: a CPU, a node's CPUs or all
 * measured CPUs.
 */
#ifndef READER_BUSY_H
#define READER_BUSY_H

#include "libn3telemetry/snapshot.h"
#include "proc_stat.h"

/* Seconds; ticks of 10 ms in /proc/stat: 25 of them give a resolution of 4 %. */
#define BUSY_SHORTEST	0.25

/*
 * Starts the measurement. @proc is the user's directory, which must be readable; with NULL,
 * nothing is measured for a copy. @rates: also of those of busy_rates(), for which two files of
 * each CPU are read.
 */
void busy_start(const char *proc, bool rates);
/* Return: whether busy_read() will have a result. */
bool busy_is_known(void);
/* Waits until 0.25 s have passed since the start. */
void busy_settle(void);
/*
 * Utilisation of the places since the last call, or the last result if that is less than
 * 0.25 s ago. Return: NULL if it is unknown; valid until the next call.
 */
const struct utilisation *busy_read(const struct choice *choice);
/*
 * The rates of the places in the same time, with the module's totals; NAN where they are unknown,
 * as with an older module.
 */
const struct rates *busy_rates(void);
/* Whether the module has totals. */
bool busy_has_totals(void);
/* Fills the columns of choose_rates(), if there are any; @busy is a result of busy_read(). */
void busy_fill(struct snapshot *snapshot, const struct choice *choice,
	       const struct utilisation *busy);
void busy_end(void);

#endif
