/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the kernel tells of a thread: /proc/PID/task/TID/stat and schedstat. */
#ifndef CLI_PROC_TASK_H
#define CLI_PROC_TASK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct task_stat {
	pid_t parent;
	unsigned int cpu;	/* that it runs on or last ran on */
	uint64_t ran;		/* nanoseconds, in steps of a clock tick */
};

struct task_schedstat {
	uint64_t ran;		/* nanoseconds */
	uint64_t waited;	/* runnable, but not running */
};

/* Return: false if that is not all of a line as the kernel writes it. */
bool task_stat_parse(const char *text, struct task_stat *stat);
bool task_schedstat_parse(const char *text, struct task_schedstat *stat);

/* A process or thread number: digits, nothing else. Return: 0 if it is none. */
pid_t task_number(const char *text);

#endif
