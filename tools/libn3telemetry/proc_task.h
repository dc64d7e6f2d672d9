/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Parser of a thread's /proc/PID/task/TID/stat and schedstat. */
#ifndef LIBN3TELEMETRY_PROC_TASK_H
#define LIBN3TELEMETRY_PROC_TASK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct task_stat {
	pid_t parent;
	unsigned int cpu;	/* current or last CPU */
	uint64_t ran;		/* nanoseconds, in steps of a clock tick */
};

struct task_schedstat {
	uint64_t ran;		/* nanoseconds */
	uint64_t waited;	/* runnable, but not running */
};

/* Return: false unless the text is a complete line in the kernel's format. */
bool task_stat_parse(const char *text, struct task_stat *stat);
bool task_schedstat_parse(const char *text, struct task_schedstat *stat);

/* Parses a process or thread id, digits only. Return: 0 if it is invalid. */
pid_t task_number(const char *text);
/* Compares structures that begin with an id, for qsort() and bsearch(). */
int task_compare(const void *a, const void *b);

#endif
