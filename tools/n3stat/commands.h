/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The commands of n3stat itself: each parses the rest of the command line. */
#ifndef N3STAT_COMMANDS_H
#define N3STAT_COMMANDS_H

struct argp;

/* The command without a name. Its options may also precede the name of a command. */
extern const struct argp stat_argp;
int command_stat(int argc, char **argv);
int command_tree(int argc, char **argv);
int command_list(int argc, char **argv);
int command_explain(int argc, char **argv);
int command_help(int argc, char **argv);

#endif
