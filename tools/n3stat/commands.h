/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Commands of n3stat: those of its own parse the rest of the command line. */
#ifndef N3STAT_COMMANDS_H
#define N3STAT_COMMANDS_H

#include <stdbool.h>

struct argp;

/* The command without a name. Its options may also precede the name of a command. */
extern const struct argp stat_argp;
int command_stat(int argc, char **argv);
int command_tree(int argc, char **argv);
int command_find(int argc, char **argv);
int command_bottleneck(int argc, char **argv);
int command_containers(int argc, char **argv);
int command_list(int argc, char **argv);
int command_explain(int argc, char **argv);

/* Runs the command named by the first word, or the table if there is none. */
int dispatch(int argc, char **argv);

/*
 * Executes n3stat-COMMAND with these arguments except argv[0]: the link or @executable in the
 * directory of this program, or the link in libexec. PATH and other variables are not used, as
 * n3stat runs as root, possibly in directories that others may write to. If the program is missing,
 * the error names its package.
 *
 * Return: the exit status, only in the fuzzer's version, which calls the command.
 */
int execute_command(const char *command, const char *executable, int argc, char **argv);
/* Whether n3stat spe is installed. */
bool has_spe_command(void);
/*
 * Runs a command line of words without quotes: "n3stat spe ..." as above, others from PATH.
 * Return: its exit status as in a shell. SIGINT, SIGTERM and SIGHUP end it.
 */
int run_command(const char *line);

#endif
