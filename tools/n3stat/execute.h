/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Commands that are programs of their own. */
#ifndef N3STAT_EXECUTE_H
#define N3STAT_EXECUTE_H

/*
 * Becomes n3stat-COMMAND with these arguments, argv[0] excepted: the program in the directory
 * of this one, or in libexec. PATH and other variables are not used: n3stat runs as root, from
 * directories that others may write to. Without that program it names its package.
 *
 * Return: the exit status, from the fuzzer's version alone, which runs the command in its own
 * process.
 */
int execute_command(const char *command, const char *package, int argc, char **argv);

#endif
