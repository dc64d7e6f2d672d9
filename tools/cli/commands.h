/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The commands: each takes what is left of the command line. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

struct argp;

/* Without a command's name. Its options may stand before that name, too. */
extern const struct argp stat_argp;
int command_stat(int argc, char **argv);
int command_tree(int argc, char **argv);
int command_top(int argc, char **argv);
int command_list(int argc, char **argv);
int command_explain(int argc, char **argv);
int command_record(int argc, char **argv);
int command_report(int argc, char **argv);
int command_baseline(int argc, char **argv);
int command_watch(int argc, char **argv);
int command_spe(int argc, char **argv);
int command_doctor(int argc, char **argv);
int command_selftest(int argc, char **argv);
int command_help(int argc, char **argv);

#endif
