/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The commands by their names. */
#ifndef N3STAT_DISPATCH_H
#define N3STAT_DISPATCH_H

/* Runs the command that the first word names, or the table without one. */
int dispatch(int argc, char **argv);
/* Runs a command; argv[0] is replaced. An unknown name ends the program with suggestions. */
int dispatch_command(const char *name, int argc, char **argv);

#endif
