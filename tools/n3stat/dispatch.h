/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The commands by their names. */
#ifndef N3STAT_DISPATCH_H
#define N3STAT_DISPATCH_H

#include "lib/util.h"

typedef int (*command)(int argc, char **argv);

/* Return: the command's function, or NULL if there is none of that name. */
command command_find(const char *name);
/* There is none of that name: says which one it may have been, and ends the program. */
void __noreturn command_die(const char *name);

/* Runs the command that the first word names, or the table without one. */
int dispatch(int argc, char **argv);

#endif
