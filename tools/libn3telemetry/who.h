/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * CPU time of threads per CPU, sampled from /proc: each thread's CPU time so far and its last
 * CPU. The time between two samples is credited to that CPU, or half to each if it changed.
 */
#ifndef LIBN3TELEMETRY_WHO_H
#define LIBN3TELEMETRY_WHO_H

#include <stdint.h>

#include "proc_stat.h"
#include "who_set.h"

struct who_cpu {
	uint64_t ran;		/* nanoseconds of the threads */
	uint64_t doubt;		/* part that may belong to another CPU */
};

struct who_share {
	unsigned int cpu;
	double theirs, others, doubt;	/* percent of the time */
	struct utilisation all;
};

struct who_thread;

struct who_threads {
	struct who_thread *v;	/* sorted by number */
	size_t nr;
};

struct who {
	struct who_set set;
	struct who_threads threads;
	bool started;
	double last, since;	/* monotonic */
	double cost;		/* seconds of CPU time for one sample */
	struct proc_stat before, after;
	/* from since to last: */
	struct who_cpu *cpus;		/* MAX_PLACES elements */
	uint64_t ran, waited, doubt;
	unsigned long moves, samples;
	struct who_share *shares;	/* sorted, largest first */
	size_t nr_shares;
};

/*
 * Each returns false after an error, which it describes in the failure of who_start(). who_free()
 * is due nevertheless. Causes: a process, name or cgroup that does not exist, /proc/stat, memory.
 */
bool who_start(struct failure *failure, struct who *who, const struct who_names *names,
	       const char *proc);
/* Measures from the end of the last measurement, initially now, until @end. */
bool who_measure(struct who *who, double end);
/*
 * The same in steps, for a caller that cannot sleep: begin, sample whenever who_due() has passed,
 * the last time at @end or later, end.
 */
void who_begin(struct who *who);
double who_due(const struct who *who, double end);
bool who_sample(struct who *who);
bool who_end(struct who *who);
void who_free(struct who *who);

double who_seconds(const struct who *who);

#endif
