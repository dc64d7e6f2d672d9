/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * CPU utilisation from /proc/stat: percent of the time between two readings.
 *
 * Waiting for I/O is idle time, as the CPU had nothing to run. Time that the hypervisor gave
 * to other guests (steal) is neither busy nor idle.
 */
#ifndef LIBN3TELEMETRY_PROC_STAT_H
#define LIBN3TELEMETRY_PROC_STAT_H

#include <stdbool.h>
#include <stddef.h>

#include "errors.h"

#define PROC_DEFAULT	"/proc"

struct cpu_times {
	bool known;
	unsigned long long busy, idle, steal;
};

struct proc_stat {
	struct cpu_times *cpus;		/* room for MAX_PLACES */
	unsigned int nr;
	double time;			/* of monotonic_now() */
};

struct utilisation {
	bool known;
	double busy, idle, steal;
};

/* Return: false if the file cannot be read, has no CPUs, or if out of memory. */
bool proc_stat_read(struct failure *failure, struct proc_stat *stat, const char *proc);
void proc_stat_free(struct proc_stat *stat);

/* Combined utilisation of the wanted CPUs. */
struct utilisation proc_stat_between(const struct proc_stat *before,
				     const struct proc_stat *after, const bool *wanted);
struct utilisation proc_stat_of_cpu(const struct proc_stat *before,
				    const struct proc_stat *after, unsigned int cpu);

#define PERCENT_SIZE	4

/* Percent without decimals: "97", "<1", or "-"; @text holds numbers. */
const char *percent_text(char text[PERCENT_SIZE], double percent);
const char *utilisation_text(char text[PERCENT_SIZE], const struct utilisation *utilisation);

#endif
