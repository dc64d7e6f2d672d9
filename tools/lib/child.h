/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A process that becomes a command when it is let go, and tells if it cannot. */
#ifndef LIB_CHILD_H
#define LIB_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

struct child {
	pid_t pid;		/* 0: there is none, or it has ended */
	int go;			/* a byte releases it, its end gives up */
	int trouble;		/* tells why it could not be executed */
	int killed_by;		/* the signal that ended it, or 0 */
};

/*
 * It calls prepare(of) before it becomes the command, NULL for nothing. Return: 0, or why
 * there is no such process.
 */
int child_start(struct child *child, char **command, void (*prepare)(const void *of),
		const void *of);
/* Lets it go. Return: 0, or why the command could not be executed. */
int child_release(struct child *child);
/*
 * Flags are those of waitpid(2). Return: whether it has ended; its exit status then, as a
 * shell gives it.
 */
bool child_wait(struct child *child, int flags, int *status);

#endif
