/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Child process that waits for a release, then executes a command. */
#ifndef LIB_CHILD_H
#define LIB_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

struct child {
	pid_t pid;		/* 0: none, or it has ended */
	int go;			/* a byte releases it, closing it makes the child exit */
	int trouble;		/* reports the errno of a failed exec() */
	int killed_by;		/* the signal that ended it, or 0 */
};

/* Return: 0, or the error of fork(). */
int child_start(struct child *child, char **command);
/* Releases the child. Return: 0, or the error of exec(). */
int child_release(struct child *child);
/*
 * Takes the flags of waitpid(2). Return: whether it has ended; *status is then its exit
 * status as in a shell.
 */
bool child_wait(struct child *child, int flags, int *status);

/* Whether PATH has an executable file of that name. */
bool child_has_command(const char *name);
/*
 * Check before the start: searches PATH as execvp(3) does. Exits with the status of env(1) if
 * the command does not exist or cannot be executed.
 */
void child_check_command(const char *name);

#endif
