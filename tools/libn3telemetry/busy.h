/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Utilisation, frequency and instructions per second of places: a CPU, a node's CPUs or all
 * measured CPUs.
 */
#ifndef LIBN3TELEMETRY_BUSY_H
#define LIBN3TELEMETRY_BUSY_H

#include "proc_stat.h"
#include "snapshot.h"

/* Seconds; ticks of 10 ms in /proc/stat: 25 of them give a resolution of 4 %. */
#define BUSY_SHORTEST	0.25

struct busy {
	const char *proc;
	bool known;			/* there are times to read */
	bool with_rates;
	struct proc_stat before, now;
	struct totals totals_before, totals_now;
	bool measured[MAX_PLACES];	/* CPUs of the system */
	double percent[MAX_PLACES];	/* utilisation of each CPU; NAN: unknown */
	/* of the places of the choice, in the time between the last two readings; NULL: unknown */
	struct utilisation *v;
	struct rates *rates;		/* NAN as well */
};

/*
 * Starts the measurement. @proc is the user's directory, which must be readable; with NULL,
 * nothing is measured for a copy. @rates: also of rates, for which two files of each CPU are read.
 * Return: false after an error of the source or @proc; busy_end() is due nevertheless.
 */
bool busy_start(struct source *source, struct busy *busy, const char *proc, bool rates);
/* Whether the source had totals, without which rates are unknown. */
bool busy_has_totals(const struct busy *busy);
/* Waits until 0.25 s have passed since the start. */
void busy_settle(const struct busy *busy);
/*
 * Measures the time since the last call, unless that is less than 0.25 s ago. Return: false after
 * an error of the source.
 */
bool busy_read(struct source *source, struct busy *busy, const struct choice *choice);
/* Fills the columns of choose_rates(), if there are any. */
void busy_fill(const struct busy *busy, struct snapshot *snapshot, const struct choice *choice);
void busy_end(struct busy *busy);

/*
 * Both set the elements of @cpus (MAX_PLACES) that a place has. Return: false if they are unknown.
 */
bool busy_cpus(const struct busy *busy, const struct place *place, bool *cpus);
bool busy_node_cpus(const char *proc, unsigned int node, bool *cpus);

#endif
