/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Lookup and call of commands by name. */
#ifndef N3STAT_DISPATCH_H
#define N3STAT_DISPATCH_H

/* Runs the command named by the first word, or the table if there is none. */
int dispatch(int argc, char **argv);
/* Runs a command with a new argv[0]. Exits with suggestions if the name is unknown. */
int dispatch_command(const char *name, int argc, char **argv);

#endif
