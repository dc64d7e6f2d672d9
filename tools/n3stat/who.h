/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * On which CPUs threads ran, and for how long, as far as /proc tells: each thread's CPU
 * time so far and the CPU that it was on last. Both are read again and again; what a
 * thread ran between two readings is given to its CPU, half and half if that changed.
 */
#ifndef N3STAT_WHO_H
#define N3STAT_WHO_H

#include <stdint.h>

#include "cli/proc_stat.h"
#include "cli/who_set.h"

struct who_cpu {
	uint64_t ran;		/* nanoseconds of theirs */
	uint64_t doubt;		/* of which may have been on another CPU */
};

struct who_share {
	unsigned int cpu;
	double theirs, others, doubt;	/* percent of the time */
	struct utilisation all;
};

struct who_thread;

struct who {
	struct who_set set;
	struct who_thread *threads;	/* sorted by number */
	size_t nr_threads;
	bool started;
	double last, since;	/* monotonic */
	double cost;		/* seconds of CPU time for one sample */
	struct proc_stat before, after;
	/* of the time from since to last: */
	struct who_cpu *cpus;		/* MAX_PLACES of them */
	uint64_t ran, waited, doubt;
	unsigned long moves, samples;
	struct who_share *shares;	/* where they ran, largest first */
	size_t nr_shares;
};

/* Ends the program if a process, name or cgroup is not there. */
void who_start(struct who *who, const struct who_names *names, const char *proc);
/* From the end of the last time, or now, up to that time. */
void who_measure(struct who *who, double end);
void who_sample(struct who *who);
void who_free(struct who *who);

double who_seconds(const struct who *who);

#endif
