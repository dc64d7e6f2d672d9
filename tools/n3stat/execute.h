/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Commands that are programs of their own. */
#ifndef N3STAT_EXECUTE_H
#define N3STAT_EXECUTE_H

/*
 * Executes n3stat-COMMAND with these arguments except argv[0]: the program in the directory
 * of this one, or in libexec. PATH and other variables are not used, as n3stat runs as root,
 * possibly in directories that others may write to. If the program is missing, the error names
 * its package.
 *
 * Return: the exit status, only in the fuzzer's version, which calls the command.
 */
int execute_command(const char *command, const char *package, int argc, char **argv);

#endif
